// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dependency file that a compiler writes for Make or Ninja: a rule with all that an object
// depends on.
#pragma once

#include "cuda/compiler/command.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// Returns the file of -MF, or "" if the command has none.
std::string dependency_file(const Command& command);

// Change the rule in `file`. A name that it does not have is not removed.
void add_dependencies(const std::filesystem::path& file, const std::vector<std::string>& more);
void remove_dependency(const std::filesystem::path& file, const std::filesystem::path& one);

} // namespace gputest::cuda::compiler
