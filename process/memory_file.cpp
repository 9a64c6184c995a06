// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/memory_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gputest::process {
namespace {

[[noreturn]] void fail(const char* what, std::size_t size) {
  const std::string reason = std::strerror(errno);
  throw std::runtime_error(std::string("cannot ") + what + ' ' + std::to_string(size) +
                           " bytes of shared memory: " + reason);
}

// Calls `does` for parts, until all bytes are written or read.
template <typename Bytes, typename Does>
void for_all(const char* what, std::size_t offset, Bytes bytes, Does does) {
  while (!bytes.empty()) {
    const ssize_t size = does(bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (size < 0 && errno == EINTR)
      continue;
    if (size <= 0)
      fail(what, bytes.size());
    offset += static_cast<std::size_t>(size);
    bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
}

} // namespace

Descriptor memory_file(const char* name, std::size_t size) noexcept {
  Descriptor file(::memfd_create(name, MFD_CLOEXEC));
  if (file && ::ftruncate(file.number(), static_cast<off_t>(size)) != 0)
    file = {};
  return file;
}

MemoryFile::MemoryFile(const char* name, std::size_t size) : file_(memory_file(name, size)) {
  if (!file_)
    fail("make", size);
}

MemoryFile::~MemoryFile() {
  unmap();
}

std::size_t MemoryFile::size() const {
  struct stat status{};
  return ::fstat(descriptor(), &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
}

void MemoryFile::unmap() {
  if (!mapped_.empty())
    ::munmap(mapped_.data(), mapped_.size());
  mapped_ = {};
}

void MemoryFile::clear(std::size_t size) {
  unmap();
  if (::ftruncate(descriptor(), 0) != 0 || ::ftruncate(descriptor(), static_cast<off_t>(size)) != 0)
    fail("make", size);
}

std::span<std::byte> MemoryFile::map() {
  const std::size_t size = this->size();
  if (!mapped_.empty() || size == 0)
    return mapped_;
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor(), 0);
  if (memory == MAP_FAILED)
    fail("map", size);
  mapped_ = {static_cast<std::byte*>(memory), size};
  return mapped_;
}

void MemoryFile::write_at(std::size_t offset, std::span<const std::byte> bytes) const {
  for_all("write", offset, bytes, [&](const std::byte* from, std::size_t size, off_t at) {
    return ::pwrite(descriptor(), from, size, at);
  });
}

void MemoryFile::read_at(std::size_t offset, std::span<std::byte> bytes) const {
  for_all("read", offset, bytes, [&](std::byte* to, std::size_t size, off_t at) {
    return ::pread(descriptor(), to, size, at);
  });
}

std::string MemoryFile::text() const {
  std::string text(size(), '\0');
  read_at(0, std::as_writable_bytes(std::span(text)));
  return text;
}

} // namespace gputest::process
