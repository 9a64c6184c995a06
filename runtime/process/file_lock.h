// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutual exclusion among processes by a lock file. The lock is released when the process dies.
#pragma once

#include <filesystem>
#include <functional>

namespace gputest::runtime {

class FileLock {
public:
  // Waits for the lock. Calls `waits` first if another process has it. Creates `file` and the
  // folders above it. Throws std::runtime_error naming the file.
  // `removed`: the file goes with the lock.
  explicit FileLock(const std::filesystem::path& file, const std::function<void()>& waits = {},
                    bool removed = false);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

private:
  int descriptor_ = -1;
  std::filesystem::path removed_; // empty: the file stays
};

} // namespace gputest::runtime
