// What Git knows of a work tree. Without Git, or outside of a work tree, nothing.
#pragma once

#include <filesystem>
#include <string>

namespace gputest::driver {

// "1a2b3c4d5e6f", with "-dirty" where the sources differ from it. Empty: not known.
std::string commit_of(const std::filesystem::path& folder);

// The whole name of the commit that a branch, a tag or a beginning of a name stands for. Empty:
// there is none.
std::string commit_named(const std::filesystem::path& folder, const std::string& name);

} // namespace gputest::driver
