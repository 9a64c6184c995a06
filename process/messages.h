// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends and receives whole messages over a stream socket: a 4-byte length, then that many bytes.
// Both sides use it.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/socket.h>

namespace gputest::process {

// The other side has closed the connection, perhaps within a message.
class ConnectionLost : public std::runtime_error {
public:
  ConnectionLost() : std::runtime_error("the connection is lost") {}
};

inline void send(int socket, const std::string& message) {
  const auto length = static_cast<std::uint32_t>(message.size());
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += message;
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t sent = ::send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      throw ConnectionLost();
    at += static_cast<std::size_t>(sent);
  }
}

// Reads `size` bytes, or fewer if the connection ends. Memory grows with the received bytes, not
// with the announced size.
inline std::string receive_bytes(int socket, std::size_t size) {
  constexpr std::size_t kPart = std::size_t{1} << 20;
  std::string bytes;
  std::size_t at = 0;
  while (at < size) {
    bytes.resize(std::min(size, std::max(at + kPart, 2 * at)));
    const ssize_t got = ::recv(socket, bytes.data() + at, bytes.size() - at, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    at += static_cast<std::size_t>(got);
  }
  bytes.resize(at);
  return bytes;
}

// Receives a message; nullopt: the other side has closed the connection. Throws ConnectionLost
// within a message.
inline std::optional<std::string> receive(int socket) {
  std::uint32_t length = 0;
  const std::string head = receive_bytes(socket, sizeof length);
  if (head.empty())
    return std::nullopt;
  if (head.size() < sizeof length)
    throw ConnectionLost();
  head.copy(reinterpret_cast<char*>(&length), sizeof length);
  std::string message = receive_bytes(socket, length);
  if (message.size() < length)
    throw ConnectionLost();
  return message;
}

} // namespace gputest::process
