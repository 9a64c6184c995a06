// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/directed/messages.h"

#include <sys/socket.h>

namespace gputest::testgen {
namespace {

constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);

} // namespace

bool send_word(int socket, Word word, const void* from, std::size_t size) {
  runtime::Bytes bytes(kHead + size);
  Writer writer(bytes.data(), bytes.size());
  writer.put(word);
  writer.put_sized(from, size);
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t sent = ::send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0)
      return false;
    at += static_cast<std::size_t>(sent);
  }
  return true;
}

std::optional<Words::One> Words::take() {
  if (bytes_.size() < kHead)
    return std::nullopt;
  Reader reader(bytes_.data(), bytes_.size());
  One one{.word = reader.take<Word>(), .bytes = {}};
  Reader sizes = reader;
  const auto size = sizes.take<std::uint64_t>();
  if (bytes_.size() - kHead < size)
    return std::nullopt;
  const std::size_t whole = kHead + size;
  one.bytes = reader.take_sized<runtime::Bytes>();
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(whole));
  return one;
}

} // namespace gputest::testgen
