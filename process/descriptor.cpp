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

void send_descriptors(int socket, std::span<const int> numbers) {
  char byte = 0; // descriptors travel with bytes
  iovec part{&byte, 1};
  std::vector<char> control(CMSG_SPACE(numbers.size_bytes()));
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(numbers.size_bytes());
  std::memcpy(CMSG_DATA(header), numbers.data(), numbers.size_bytes());
  ssize_t sent = 0;
  while ((sent = ::sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
    ;
  if (sent != 1)
    throw std::runtime_error(std::string("cannot give descriptors to another process: ") +
                             std::strerror(errno));
}

std::vector<Descriptor> receive_descriptors(int socket, std::size_t count) {
  char byte = 0;
  iovec part{&byte, 1};
  std::vector<char> control(CMSG_SPACE(count * sizeof(int)));
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  while ((got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
    ;
  std::vector<Descriptor> descriptors;
  const cmsghdr* const header = got == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
    for (std::size_t i = 0; i < (header->cmsg_len - CMSG_LEN(0)) / sizeof(int); ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(header) + i * sizeof number, sizeof number);
      descriptors.emplace_back(number);
    }
  if (descriptors.size() != count)
    throw std::runtime_error("another process has given other descriptors than it should");
  return descriptors;
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
