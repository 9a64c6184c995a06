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
  int dimensions; // of the array, without channels
  bool layers;    // the first dimension counts them
};

struct ImageValue {
  ImageKind kind;
  pybind11::array pixels;
  std::string order; // "RGBA"; empty: by the number of channels
  bool normalized;   // integers stand for 0 to 1, or -1 to 1
};

// Functions and types of Python's module.
void add_images(pybind11::module_& module);

// Refers to the array's memory. Throws UsageError.
detail::KernelArgument image_argument(const ImageValue& image, std::size_t position);

} // namespace gputest::python
