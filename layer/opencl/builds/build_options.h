// The options string of clBuildProgram and clCompileProgram, taken apart.
#pragma once

#include "runtime/machine/build_settings.h"

#include <string>
#include <vector>

namespace gputest::layer {

// Words as compilers split them: at white space, except inside quotes or after a backslash.
std::vector<std::string> split_options(const std::string& options);

// -D, -I and -cl-std= become definitions, include folders and cl_std. Everything else stays a build
// option. Relative include folders become absolute, relative to the working directory, which itself
// comes last.
runtime::BuildSettings parse_options(const std::string& options);

} // namespace gputest::layer
