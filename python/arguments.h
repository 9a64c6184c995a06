// Python values as kernel arguments: NumPy arrays and scalars, and what stands for memory that only
// the device has.
#pragma once

#include "gputest/kernel_argument.h"

#include <pybind11/numpy.h>

namespace gputest::python {

// __local memory for `count` elements.
struct LocalMemory {
  pybind11::dtype type;
  std::size_t count;
};

// A buffer of `count` zeros, whose content is in the result.
struct OutputBuffer {
  pybind11::dtype type;
  std::size_t count;
};

// An array's components by value: a vector.
struct VectorValue {
  pybind11::array components;
};

// A buffer with the array's content, copied back if it is writeable.
detail::KernelArgument array_argument(pybind11::array array, std::size_t position);

// Refers to the memory of `value`, in which a scalar is an array without dimensions. Throws
// UsageError for what cannot be a kernel argument; `position` is for the message.
detail::KernelArgument kernel_argument(const pybind11::handle& value, std::size_t position);

} // namespace gputest::python
