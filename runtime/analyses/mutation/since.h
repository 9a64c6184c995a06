// The lines changed since a git ref, for --since.
#pragma once

#include "runtime/analyses/mutation/selection.h"

#include <filesystem>
#include <map>
#include <string>

namespace gputest::runtime {

// The parts of each of `files` (a mutant's name for it, and its path) that differ between `ref` and
// the work tree; all lines of a file that git does not know. Throws UsageError where there is no
// git work tree, no such ref, or no git.
ChangedLines changed_lines(const std::map<std::string, std::filesystem::path>& files,
                           const std::string& ref);

// The parts that a `git diff -U0` of one file names.
std::vector<std::pair<unsigned, unsigned>> parts_of(const std::string& diff);

} // namespace gputest::runtime
