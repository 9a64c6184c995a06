// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives an array of the host whose size is no constant its values. What gives Clang the texts that
// use it: frontend/cuda/sized_at_run_time.h.
#ifndef GPUTEST_CUDA_SIZED_ARRAYS_H
#define GPUTEST_CUDA_SIZED_ARRAYS_H

#include <cstddef>
#include <initializer_list>

template <typename T> struct gputest_element {
  using type = T;
};

// `bytes`: the size of the array that begins with *first.
template <typename T> inline void gputest_fill(T* first, std::size_t bytes) {
  for (T* const end = first + bytes / sizeof(T); first != end; ++first)
    *first = T();
}

// The other elements are 0.
template <typename T>
inline void gputest_fill(T* first, std::size_t bytes,
                         std::initializer_list<typename gputest_element<T>::type> values) {
  gputest_fill(first, bytes);
  for (const T& value : values)
    *first++ = value;
}

// `T`: a type of characters.
template <typename T, std::size_t kSize>
inline void gputest_fill_text(T* first, std::size_t bytes, const char (&text)[kSize]) {
  static_assert(sizeof(T) == 1, "a string gives its values to characters");
  gputest_fill(first, bytes);
  for (std::size_t i = 0; i < kSize && i < bytes; ++i)
    first[i] = static_cast<T>(text[i]);
}

#endif
