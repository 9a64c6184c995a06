// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells files that people save from backups and from what programs leave behind.
#pragma once

#include <filesystem>
#include <string>

namespace gputest::driver {

// Returns whether the file or folder is an editor's backup or swap file, hidden, or Python's
// __pycache__.
inline bool is_left_over(const std::string& name) {
  return name.empty() || name.starts_with('.') || name.starts_with('#') || name.ends_with('~') ||
         name.ends_with(".tmp") || name == "4913" || name == "__pycache__";
}

inline bool is_build_folder(const std::filesystem::path& folder) {
  std::error_code ignored; // then it is none that anybody could use
  return std::filesystem::exists(folder / "CMakeCache.txt", ignored);
}

} // namespace gputest::driver
