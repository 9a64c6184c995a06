#include "runtime/process/file_lock.h"

#include "model/files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace gputest::runtime {

FileLock::FileLock(const std::filesystem::path& file, const std::function<void()>& waits) {
  std::error_code ignored; // opening tells
  std::filesystem::create_directories(file.parent_path(), ignored);
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw model::WriteError(file, {errno, std::generic_category()});
  if (waits && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    waits();
  while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR)
    ;
}

FileLock::~FileLock() {
  ::close(descriptor_);
}

} // namespace gputest::runtime
