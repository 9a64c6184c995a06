// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks Git about a work tree. Without Git, or outside of a work tree, the answers are empty.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace gputest::driver {

// Returns the commit, "1a2b3c4d5e6f", with "-dirty" appended where the files below `folder` differ
// from it; empty: unknown. A file that Git neither has nor ignores counts as a difference, because
// kernels and test cases are read whether Git has them or not. Build folders and files that
// is_left_over() (driver/source_names.h) do not count.
std::string commit_of(const std::filesystem::path& folder);

// Returns the whole name of the commit that a branch, a tag or a beginning of a name stands for;
// empty: there is none.
std::string commit_named(const std::filesystem::path& folder, const std::string& name);

// Returns the lines of files in and below `folder` that are not as in the commit, by the file's
// name relative to it. All lines of a file count that Git neither has nor ignores.
std::map<std::string, std::set<unsigned>> changed_lines(const std::filesystem::path& folder,
                                                        const std::string& commit);

} // namespace gputest::driver
