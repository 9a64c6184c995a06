// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs as bytes, for other processes of the same program.
#pragma once

#include "runtime/cases/wire.h"
#include "testgen/inputs/input.h"

namespace gputest::testgen {

using runtime::Reader;
using runtime::Writer;

inline void put(Writer& to, const Input& input) {
  to.put(input.shape);
  for (const Content& content : input.arguments) {
    to.put_sized(content.bytes.data(), content.bytes.size());
    to.put(content.local_size);
    to.put(content.extent);
    to.put(content.sampler);
    to.put(content.is_null);
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
    content.is_null = from.take<bool>();
  }
  return input;
}

// An upper bound of what put() writes, in bytes.
inline std::size_t encoded_size(const Input& input) {
  return sizeof(Shape) + input.bytes() + input.arguments.size() * 64;
}

} // namespace gputest::testgen
