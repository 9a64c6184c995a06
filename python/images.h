// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy arrays as images, and samplers.
#pragma once

#include "gputest/kernel_argument.h"

#include <pybind11/numpy.h>

#include <string>

namespace gputest::python {

// A kind of image, such as image2d.
struct ImageKind {
  const char* name;
  cl_mem_object_type type;
  int dimensions; // dimensions of the array, without channels
  bool layers;    // the first dimension is that of layers
};

struct ImageValue {
  ImageKind kind;
  pybind11::array pixels;
  std::string order; // "RGBA"; empty: the number of channels decides
  bool normalized;   // integers stand for 0 to 1, or -1 to 1
};

// Adds functions and types to Python's module.
void add_images(pybind11::module_& module);

// Returns an argument that refers to the array's memory. Throws UsageError.
detail::KernelArgument image_argument(const ImageValue& image, std::size_t position);

} // namespace gputest::python
