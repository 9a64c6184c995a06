// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Untyped memory, and values in it. Reading and writing them needs no alignment.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace gputest::runtime {

using Bytes = std::vector<std::byte>;

template <typename T> T load(const std::byte* from) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T> void store(std::byte* to, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memcpy(to, &value, sizeof(T));
}

} // namespace gputest::runtime
