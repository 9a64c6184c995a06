// The text that is built for a machine, from the files that hold it.
#pragma once

#include "runtime/machine/build_settings.h"

#include <filesystem>
#include <string>

namespace gputest::runtime {

// The text of a variant that the build wrote. Throws UsageError.
std::string read_variant(const std::filesystem::path& file);

// The text of a source file under a #line that lets the device's compiler name the file. Throws
// UsageError.
std::string read_source(const std::filesystem::path& file);

// The settings for the text of a variant, made under `settings`. Of OpenCL C it is preprocessed
// already.
BuildSettings preprocessed(BuildSettings settings);

} // namespace gputest::runtime
