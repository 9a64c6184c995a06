// Mutual exclusion among processes by a lock file. The lock is released when the process dies.
#pragma once

#include <filesystem>
#include <functional>

namespace gputest::runtime {

class FileLock {
public:
  // Waits for the lock. Calls `waits` first if another process has it. Creates `file` and the
  // folders above it. Throws std::runtime_error naming the file.
  explicit FileLock(const std::filesystem::path& file, const std::function<void()>& waits = {});
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

private:
  int descriptor_;
};

} // namespace gputest::runtime
