// What Git knows of a work tree. Without Git, or outside of a work tree, nothing.
#pragma once

#include <filesystem>
#include <string>

namespace gputest::driver {

// "1a2b3c4d5e6f", with "-dirty" where the files below `folder` differ from it. A file that Git
// neither has nor ignores is such a difference, too, because kernels and test cases are read
// whether Git has them or not; build folders and what is left over (driver/source_names.h) are
// none. Empty: not known.
std::string commit_of(const std::filesystem::path& folder);

// The whole name of the commit that a branch, a tag or a beginning of a name stands for. Empty:
// there is none.
std::string commit_named(const std::filesystem::path& folder, const std::string& name);

} // namespace gputest::driver
