// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text that is built for a machine.
#pragma once

#include "runtime/machine/build_settings.h"

#include <filesystem>
#include <string>

namespace gputest::runtime {

// Returns the text of a variant that the build wrote. Throws UsageError.
std::string read_variant(const std::filesystem::path& file);

// Returns the text of a source file under a #line directive, so that the device's compiler names
// the file as `name`, or as its path; of SPIR-V that of model::text_of_spirv(). Throws UsageError.
std::string read_source(const std::filesystem::path& file, const std::filesystem::path& name);
std::string read_source(const std::filesystem::path& file);

// Returns the settings for building a variant that was made under `settings`. A variant of OpenCL C
// is preprocessed already.
BuildSettings preprocessed(BuildSettings settings);

} // namespace gputest::runtime
