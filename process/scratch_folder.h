// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary folder, which its destructor removes.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace gputest::process {

// The destructor removes the folder with all that is in it, unless keep() was called.
class ScratchFolder {
public:
  // Makes <purpose>-<letters> below the system's folder for temporary files. Throws
  // std::filesystem::filesystem_error.
  explicit ScratchFolder(const std::string& purpose = "gputest") {
    std::string pattern = (std::filesystem::temp_directory_path() / (purpose + "-XXXXXX")).string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::filesystem::filesystem_error("cannot make a temporary folder", pattern,
                                              std::error_code(errno, std::generic_category()));
    path_ = std::move(pattern);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), is_kept_(other.is_kept_) {}
  ~ScratchFolder() {
    std::error_code ignored;
    if (!is_kept_ && !path_.empty())
      std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  void keep() { is_kept_ = true; }

private:
  std::filesystem::path path_;
  bool is_kept_ = false;
};

} // namespace gputest::process
