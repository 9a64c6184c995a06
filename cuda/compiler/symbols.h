// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device variables that sources of relocatable code share. Return the exit code of Clang, or 0.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/process.h"
#include "cuda/compiler/toolkit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// Adds to `names` the device variables that `bitcode` defines with external linkage, which host
// code of other sources may name.
int find_variables(const Toolkit& toolkit, const std::filesystem::path& bitcode,
                   std::vector<std::string>& names, bool verbose);

// Adds a symbol to `object` for each device variable, for sources that declare it `extern`: Clang
// makes the host's copy local to its source. The symbol is registered after the copy. `folder` is
// for files in between.
int add_symbols(const Toolkit& toolkit, const std::vector<std::string>& names,
                const std::filesystem::path& folder, const std::filesystem::path& object,
                bool verbose);

// Returns options for the linker that take all objects with relocatable device code from the
// command's static libraries: no host code refers to them. `folder` is for a file in between.
Arguments options_for_units(const Command& command, const std::filesystem::path& folder);

} // namespace gputest::cuda::compiler
