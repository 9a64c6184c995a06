// What `gputest instrument` makes of the source of a call, and the coverage that calls add up to.
#pragma once

#include "gputest/run_kernel.h"
#include "model/sites.h"
#include "runtime/cases/bytes.h"
#include "runtime/machine/machine.h"

#include <filesystem>
#include <string>

namespace gputest::runtime {

// GPUTEST_COVERAGE_DIR. Empty: coverage is not wanted.
std::filesystem::path coverage_folder();

// The command: GPUTEST_DRIVER, RunOptions::driver, or the one that this library belongs to. Throws
// DeviceError, which begins with `what_for`.
std::filesystem::path command_of(const RunOptions& options, std::string_view what_for);

// The file that a call's source is in. A text becomes one that is kept: below the folder of
// coverage, else in a cache.
std::filesystem::path file_of(const Source& source);

struct InstrumentedSource {
  std::filesystem::path folder; // coverage.cl, sites.json, interface.json; of a function wrapper.cl
  model::SiteTable sites;
};

// For `machine`; `function`: a device function that is called; empty: `kernel`. Throws UsageError
// with the compiler's messages, DeviceError.
InstrumentedSource instrument_source(Machine& machine, const std::filesystem::path& source,
                                     const std::string& kernel, const std::string& function,
                                     const BuildSettings& settings,
                                     const std::filesystem::path& driver);

// Adds what a launch of the instrumented kernel reached to what other calls and processes found,
// unless that is about another version of the source.
void record_coverage(const InstrumentedSource& variant, const std::string& kernel,
                     const std::filesystem::path& source, const std::string& device,
                     const Bytes& state);

} // namespace gputest::runtime
