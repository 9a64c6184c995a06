// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the libraries of host calls share: the memory that their functions work on, and the
// libraries of the system that do the work.
#pragma once

#include "cuda/include/cuComplex.h"
#include "cuda/runtime/host_work.h"

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <vector>

namespace gputest::cuda::libraries {

// Returns where the host can access what the device has at `pointer`.
template <typename T> T* at(T* pointer) {
  return static_cast<T*>(gputest_cuda_host_place(pointer));
}

// Numbers of the standard library for those of CUDA.
template <typename T> struct NumberOf {
  using Type = T;
};
template <> struct NumberOf<cuComplex> {
  using Type = std::complex<float>;
};
template <> struct NumberOf<cuDoubleComplex> {
  using Type = std::complex<double>;
};
template <typename T> using Number = typename NumberOf<std::remove_const_t<T>>::Type;

// Shapes of operands. `size`: bytes of an element; `ld`: elements from one column to the next.
inline Operand array_of(std::string name, const void* begin, std::size_t bytes) {
  return {.name = std::move(name),
          .begin = begin,
          .bytes = bytes,
          .rows = 1,
          .pitch = static_cast<std::ptrdiff_t>(bytes)};
}
inline Operand matrix_of(std::string name, const void* begin, std::int64_t rows,
                         std::int64_t columns, std::int64_t ld, std::size_t size) {
  return {.name = std::move(name),
          .begin = begin,
          .bytes = static_cast<std::size_t>(rows) * size,
          .rows = static_cast<std::size_t>(columns),
          .pitch = ld * static_cast<std::ptrdiff_t>(size)};
}
inline Operand vector_of(std::string name, const void* begin, std::int64_t count,
                         std::int64_t increment, std::size_t size) {
  return matrix_of(std::move(name), begin, 1, count, std::abs(increment), size);
}
// A triangle of a square matrix with its diagonal, or (`strict`) without.
inline Operand triangle_of(std::string name, const void* begin, std::int64_t n, std::int64_t ld,
                           std::size_t size, bool upper, bool strict = false) {
  Operand operand = matrix_of(std::move(name), begin, upper ? 1 : n, n, upper ? ld : ld + 1, size);
  const auto element = static_cast<std::ptrdiff_t>(size);
  operand.growth = upper ? element : -element;
  if (strict) {
    operand.bytes -= size;
    if (!upper)
      operand.begin = static_cast<const std::byte*>(begin) + size;
  }
  return operand;
}
inline Operand read(Operand operand) {
  operand.reads = true;
  return operand;
}
inline Operand written(Operand operand) {
  operand.writes = true;
  return operand;
}
inline Operand updated(Operand operand) {
  operand.reads = operand.writes = true;
  return operand;
}
inline Operand partly_read(Operand operand) {
  operand.reads = operand.may_be_unwritten = true;
  return operand;
}

// A library of the system, which is opened when a program first needs it. Its threads are not
// started: programs of CUDA are run many at once, and a process without other threads is known to
// wait in vain where a deadlock is.
class SystemLibrary {
public:
  // `package`: which one has the file, for the message if it is missing.
  SystemLibrary(const char* file, const char* package) : file_(file), package_(package) {}
  // Opens it. Prints a message and returns false if it is missing. `user`: who needs it.
  bool open(const char* user);
  // Returns a function of it. Ends the program with a message if it has none of that name.
  void* function(const char* name);

private:
  const char *file_, *package_;
  void* handle_ = nullptr;
  bool is_missing_ = false;
};

} // namespace gputest::cuda::libraries

// A function of a SystemLibrary, declared by the library's header.
#define GPUTEST_SYSTEM_FUNCTION(library, name)                                                     \
  ([] {                                                                                            \
    static auto* const function = reinterpret_cast<decltype(&::name)>((library).function(#name));  \
    return function;                                                                               \
  }())
