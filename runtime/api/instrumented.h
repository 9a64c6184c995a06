// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments the source of a call with `gputest instrument`, and adds up the coverage of calls.
#pragma once

#include "gputest/run_kernel.h"
#include "model/sites.h"
#include "runtime/cases/bytes.h"
#include "runtime/machine/machine.h"

#include <filesystem>
#include <string>

namespace gputest::runtime {

// Returns GPUTEST_COVERAGE_DIR. Empty: coverage is not wanted.
std::filesystem::path coverage_folder();

// Returns the path of gputest: GPUTEST_DRIVER, else RunOptions::driver, else the command that this
// library belongs to. Throws DeviceError, which begins with `what_for`.
std::filesystem::path command_of(const RunOptions& options, std::string_view what_for);

// Returns the file that a call's source is in. A text is written to a file, which stays: below the
// folder of coverage, or without one in a cache.
std::filesystem::path file_of(const Source& source);

struct InstrumentedSource {
  // Holds coverage.cl, sites.json, interface.json; for a function wrapper.cl.
  std::filesystem::path folder;
  model::SiteTable sites;
};

// Instruments `source` for `machine`. `function`: the device function that is called; empty:
// `kernel` is called. Throws UsageError with the compiler's messages, and DeviceError.
InstrumentedSource instrument_source(Machine& machine, const std::filesystem::path& source,
                                     const std::string& kernel, const std::string& function,
                                     const BuildSettings& settings,
                                     const std::filesystem::path& driver, bool is_text);

// Adds what a launch of the instrumented kernel reached to the kernel's coverage file. What other
// calls and processes found stays there, unless it is about another version of the source. All
// launches while GPUTEST_CASE has one value are one test case of that name.
void record_coverage(const InstrumentedSource& variant, const std::string& kernel,
                     const std::filesystem::path& source, const std::string& device,
                     const Bytes& state);

} // namespace gputest::runtime
