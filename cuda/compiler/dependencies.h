// The rule that a compiler writes down for Make or Ninja: what an object depends on.
#pragma once

#include "cuda/compiler/command.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// The file of -MF; empty: the command has none.
std::string dependency_file(const Command& command);

// Change the rule in `file`. A name that it does not have is not removed.
void add_dependencies(const std::filesystem::path& file, const std::vector<std::string>& more);
void remove_dependency(const std::filesystem::path& file, const std::filesystem::path& one);

} // namespace gputest::cuda::compiler
