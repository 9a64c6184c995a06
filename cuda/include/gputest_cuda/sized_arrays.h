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

inline void gputest_fill(char* first, std::size_t bytes, const char* text) {
  gputest_fill(first, bytes);
  while (*text)
    *first++ = *text++;
}

#endif
