// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets commands that share a folder for results work one after the other.
#pragma once

#include "runtime/process/file_lock.h"

#include <filesystem>

namespace gputest::program {

class OutputLock {
public:
  // Waits until no other command works in `output`, and says on standard error that it waits.
  // Creates the folder, and in it run.lock, which is there as long as this. Throws
  // std::runtime_error where that is not possible.
  explicit OutputLock(const std::filesystem::path& output);

private:
  runtime::FileLock lock_;
};

} // namespace gputest::program
