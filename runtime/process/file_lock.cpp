// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/file_lock.h"

#include "model/files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gputest::runtime {

namespace {

// Returns whether the name still belongs to the open file: its owner before may have removed it.
bool is_there(int descriptor, const std::filesystem::path& file) {
  struct stat open{}, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(file.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

} // namespace

FileLock::FileLock(const std::filesystem::path& file, const std::function<void()>& waits,
                   bool removed)
    : removed_(removed ? file : std::filesystem::path()) {
  std::error_code failed; // opening tells whether that matters
  std::filesystem::create_directories(file.parent_path(), failed);
  bool said = false;
  do {
    if (descriptor_ >= 0)
      ::close(descriptor_);
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw model::WriteError(file,
                              failed ? failed : std::error_code(errno, std::generic_category()));
    if (waits && !said && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      waits();
      said = true;
    }
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR)
      ;
  } while (removed && !is_there(descriptor_, file));
}

FileLock::~FileLock() {
  if (!removed_.empty())
    ::unlink(removed_.c_str()); // while nobody else can have the lock
  ::close(descriptor_);
}

} // namespace gputest::runtime
