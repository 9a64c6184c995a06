// Values in memory that two processes share.
#pragma once

#include "runtime/cases/bytes.h"

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace gputest::runtime {

// Into memory that is there. Throws std::length_error where it does not fit.
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

class Reader {
public:
  explicit Reader(const std::byte* begin) : at_(begin) {}
  template <typename T> T take() {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <typename Container> Container take_sized() {
    using Element = typename Container::value_type;
    const auto size = take<std::uint64_t>();
    Container all(size / sizeof(Element), Element{});
    if (size != 0)
      std::memcpy(all.data(), at_, size);
    at_ += size;
    return all;
  }

private:
  const std::byte* at_;
};

} // namespace gputest::runtime
