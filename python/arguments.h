// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python values as kernel arguments: NumPy arrays and scalars, and objects for memory that only the
// device has.
#pragma once

#include "gputest/kernel_argument.h"

#include <pybind11/numpy.h>

namespace gputest::python {

// __local memory for `count` elements.
struct LocalMemory {
  pybind11::dtype type;
  std::size_t count;
};

// A buffer of `count` zeros. The result has its content after the launch.
struct OutputBuffer {
  pybind11::dtype type;
  std::size_t count;
};

// A vector by value, whose components are an array.
struct VectorValue {
  pybind11::array components;
};

// Returns a buffer with the array's content, which is copied back if the array is writeable.
detail::KernelArgument array_argument(pybind11::array array, std::size_t position);

// Returns an argument that refers to the memory of `value`. A scalar is an array without dimensions
// there. Throws UsageError for what cannot be a kernel argument; `position` is for the message.
detail::KernelArgument kernel_argument(const pybind11::handle& value, std::size_t position);

} // namespace gputest::python
