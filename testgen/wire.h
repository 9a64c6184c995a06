// Inputs as bytes, for other processes of the same program.
#pragma once

#include "ir/error.h"
#include "testgen/input.h"

#include <cstring>

namespace gputest::testgen {

// Into memory that is there. Throws SimulatorFailure where it does not fit.
class Writer {
public:
  Writer(std::byte* begin, std::size_t size) : at_(begin), end_(begin + size) {}
  template <typename T> void put(const T& value) { put(&value, sizeof value); }
  void put(const void* from, std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size)
      throw simulator::SimulatorFailure("an input or its outputs are too large");
    if (size != 0)
      std::memcpy(at_, from, size);
    at_ += size;
  }
  void put_sized(const void* from, std::size_t size) {
    put(static_cast<std::uint64_t>(size));
    put(from, size);
  }
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

inline void put(Writer& to, const Input& input) {
  to.put(input.shape);
  for (const Content& content : input.arguments) {
    to.put_sized(content.bytes.data(), content.bytes.size());
    to.put(content.local_size);
    to.put(content.extent);
    to.put(content.sampler);
  }
}

inline Input take_input(Reader& from, std::size_t arguments) {
  Input input;
  input.shape = from.take<Shape>();
  input.arguments.resize(arguments);
  for (Content& content : input.arguments) {
    content.bytes = from.take_sized<runtime::Bytes>();
    content.local_size = from.take<std::size_t>();
    content.extent = from.take<std::array<std::uint32_t, 3>>();
    content.sampler = from.take<std::uint32_t>();
  }
  return input;
}

// More than put() writes.
inline std::size_t encoded_size(const Input& input) {
  return sizeof(Shape) + input.bytes() + input.arguments.size() * 64;
}

} // namespace gputest::testgen
