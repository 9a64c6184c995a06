// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments a kernel at run time, with the gputest command as a subprocess. That is for devices
// whose macros differ from what the build assumed, and for the C++ API.
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
  std::string function;   // the device function under test; empty: kernels
  BuildSettings settings; // build_options are not for the instrumenter
  std::vector<model::DeviceMacro> device_macros{};
  // Names of files below it are relative to it; empty: as given.
  std::filesystem::path source_root{};
  model::Variant variant = model::variant_of("coverage");
  std::string kernel{}; // CUDA: the kernel that is made of its template
};

// Returns the path of the gputest command: GPUTEST_DRIVER, else `described`. Throws DeviceError,
// which begins with `what_for`, if that is no executable file.
std::filesystem::path
find_driver(const std::filesystem::path& described,
            std::string_view what_for = "the kernel must be instrumented for this device");

// Returns the folder below `cache` that holds the files of the request. Files are used again if the
// request, the command and all files that were read are unchanged. Several processes may call this
// at once. Throws UsageError with the compiler's messages if the source does not compile, and
// DeviceError if the command fails otherwise.
std::filesystem::path instrument(const InstrumentRequest& request,
                                 const std::filesystem::path& driver,
                                 const std::filesystem::path& cache);

// Returns what `gputest mutants` writes with an option. "--alone" and an id: the text of one
// mutant. "--sites" and "first-last": the text of the mutants of some sites, with the same guards
// as mutants.cl. `subcommand`: another subcommand with the same options. Throws as instrument()
// does.
std::string mutants_text(const InstrumentRequest& request, const std::filesystem::path& driver,
                         const std::string& option, const std::string& value,
                         const std::string& subcommand = "mutants");

} // namespace gputest::runtime
