// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/descriptor.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace gputest::process {
namespace {

Ends sockets(int type) {
  int ends[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error(std::string("cannot make a pair of sockets: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

} // namespace

void Descriptor::close() {
  if (number_ >= 0)
    ::close(std::exchange(number_, -1));
}

Ends stream_sockets() {
  return sockets(SOCK_STREAM);
}

Ends packet_sockets() {
  return sockets(SOCK_SEQPACKET);
}

Ends pipe_to_us() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Descriptor open_output(const std::string& file) {
  Descriptor opened(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!opened)
    throw std::runtime_error(file + ": error: cannot be written: " + std::strerror(errno));
  return opened;
}

bool write_all(int descriptor, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  const char* const end = at + size;
  while (at != end) {
    const auto left = static_cast<std::size_t>(end - at);
    ssize_t written = ::send(descriptor, at, left, MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK)
      written = ::write(descriptor, at, left);
    if (written < 0 && errno != EINTR)
      return false;
    at += written < 0 ? 0 : written;
  }
  return true;
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65536> part;
  while (true) {
    const ssize_t size = ::read(descriptor, part.data(), part.size());
    if (size > 0)
      text.append(part.data(), static_cast<std::size_t>(size));
    else if (size == 0 || errno != EINTR)
      return text;
  }
}

} // namespace gputest::process
