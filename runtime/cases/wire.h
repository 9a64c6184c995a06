// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and reads values in memory that two processes share.
#pragma once

#include "runtime/cases/bytes.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

namespace gputest::runtime {

// Writes to memory of `size` bytes. Throws std::length_error where a value does not fit.
class Writer {
public:
  Writer(std::byte* begin, std::size_t size) : at_(begin), end_(begin + size) {}
  template <typename T> void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(&value, sizeof value);
  }
  void put(const void* from, std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size)
      throw std::length_error("an input or its outputs are too large");
    if (size != 0)
      std::memcpy(at_, from, size);
    at_ += size;
  }
  void put_sized(const void* from, std::size_t size) {
    put(static_cast<std::uint64_t>(size));
    put(from, size);
  }
  void put_text(std::string_view text) { put_sized(text.data(), text.size()); }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

private:
  std::byte *at_, *end_;
};

// The memory that another process left holds no message, because a kernel may have written over it.
class MessageError : public std::runtime_error {
public:
  MessageError() : std::runtime_error("what another process has answered is damaged") {}
};

// Reads from memory of `size` bytes. Throws MessageError.
class Reader {
public:
  Reader(const std::byte* begin, std::size_t size) : at_(begin), end_(begin + size) {}
  template <typename T> T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), taken(sizeof(T)), sizeof(T));
    if constexpr (std::is_same_v<T, bool>)
      return bytes[0] != std::byte{0}; // a bool that is neither 0 nor 1 is none
    else
      return std::bit_cast<T>(bytes);
  }
  // Reads the number of elements that follow, each of at least a byte.
  std::size_t take_count() {
    const auto count = take<std::uint64_t>();
    if (count > left())
      throw MessageError();
    return count;
  }
  template <typename Container> Container take_sized() {
    using Element = typename Container::value_type;
    const auto size = take<std::uint64_t>();
    if (size > left() || size % sizeof(Element) != 0)
      throw MessageError();
    Container all(size / sizeof(Element), Element{});
    if (size != 0)
      std::memcpy(all.data(), taken(size), size);
    return all;
  }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

private:
  const std::byte* taken(std::size_t size) {
    if (size > left())
      throw MessageError();
    return std::exchange(at_, at_ + size);
  }

  const std::byte *at_, *end_;
};

} // namespace gputest::runtime
