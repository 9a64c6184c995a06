// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the lines that changed since a git ref, for --since.
#pragma once

#include "runtime/analyses/mutation/selection.h"

#include <filesystem>
#include <map>
#include <string>

namespace gputest::runtime {

// Returns the parts of each file that differ between `ref` and the work tree. `files` maps a
// mutant's name for a file to its path. All lines of a file that git does not know have changed.
// Throws UsageError where there is no git work tree, no such ref, or no git.
ChangedLines changed_lines(const std::map<std::string, std::filesystem::path>& files,
                           const std::string& ref);

} // namespace gputest::runtime
