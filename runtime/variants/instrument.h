// Instrumenting a kernel at run time, with the gputest command as a subprocess: for devices whose
// macros differ from what was assumed at build time, and for the C++ API.
#pragma once

#include "model/analyses.h"
#include "model/sites.h"
#include "runtime/machine/build_settings.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::runtime {

struct InstrumentRequest {
  std::filesystem::path source;
  std::string function;   // a device function under test; empty: kernels
  BuildSettings settings; // build_options are not for the instrumenter
  std::vector<model::DeviceMacro> device_macros{};
  std::filesystem::path source_root{}; // files below it are named relative to it; empty: as given
  model::Variant variant = model::variant_of("coverage");
  std::string kernel{}; // of CUDA: to be made of its template
};

// GPUTEST_DRIVER, else `described`. Throws DeviceError, which begins with `what_for`, if neither is
// an executable file.
std::filesystem::path
find_driver(const std::filesystem::path& described,
            std::string_view what_for = "the kernel must be instrumented for this device");

// The folder below `cache` that holds the files of the request. What is there already is used again
// if request, driver and all files read are unchanged. Safe among processes. Throws
// UsageError with the compiler's messages if the source does not compile, DeviceError if the driver
// fails otherwise.
std::filesystem::path instrument(const InstrumentRequest& request,
                                 const std::filesystem::path& driver,
                                 const std::filesystem::path& cache);

// What `gputest mutants` writes with this option: the text of one mutant ("--alone", its id), or of
// the mutants of some sites ("--sites", "first-last"), with the same guards as mutants.cl. Or what
// another subcommand with the same options writes. Throws as instrument() does.
std::string mutants_text(const InstrumentRequest& request, const std::filesystem::path& driver,
                         const std::string& option, const std::string& value,
                         const std::string& subcommand = "mutants");

} // namespace gputest::runtime
