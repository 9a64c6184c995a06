// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the options string of clBuildProgram and clCompileProgram.
#pragma once

#include "runtime/machine/build_settings.h"

#include <string>
#include <vector>

namespace gputest::layer {

// Returns the words of the options, split as compilers do: at white space, except inside quotes or
// after a backslash.
std::vector<std::string> split_options(const std::string& options);

// Returns the settings of the options. -D, -I and -cl-std= become definitions, include folders and
// cl_std. Everything else stays a build option. Relative include folders become absolute, relative
// to the working directory, which itself comes last.
runtime::BuildSettings parse_options(const std::string& options);

} // namespace gputest::layer
