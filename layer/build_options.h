// The options string of clBuildProgram and clCompileProgram, taken apart.
#pragma once

#include "runtime/machine/build_settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::layer {

// Words as compilers part them: at white space, but for what stands in quotes or behind a
// backslash.
std::vector<std::string> split_options(const std::string& options);

// -D, -I and -cl-std= become definitions, include folders (absolute, relative ones to the working
// directory, which comes last itself) and cl_std; everything else stays a build option.
runtime::BuildSettings parse_options(const std::string& options);

} // namespace gputest::layer
