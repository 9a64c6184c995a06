// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/arguments.h"

#include "gputest/error.h"
#include "python/images.h"

#include <string>

namespace gputest::python {
namespace {

namespace py = pybind11;
using detail::KernelArgument;

std::string what_it_is(const py::handle& value) {
  return py::str(py::type::handle_of(value).attr("__name__"));
}

[[noreturn]] void refuse(std::size_t position, const std::string& why) {
  throw UsageError("argument " + std::to_string(position) + ": " + why);
}

// Returns OpenCL C's name of an element; empty: a struct.
std::string type_name(const py::dtype& type, std::size_t position) {
  if (!type.attr("isnative").cast<bool>())
    refuse(position, "elements must have this machine's byte order");
  if (type.attr("hasobject").cast<bool>())
    refuse(position, "elements must not be Python objects");
  if (type.has_fields())
    return {};
  const auto size = static_cast<std::size_t>(type.itemsize());
  const char kind = type.kind();
  if (kind == 'f' && (size == 2 || size == 4 || size == 8))
    return size == 2 ? "half" : size == 4 ? "float" : "double";
  if ((kind == 'i' || kind == 'u') && size <= 8) {
    const std::string name = size == 1 ? "char" : size == 2 ? "short" : size == 4 ? "int" : "long";
    return kind == 'u' ? "u" + name : name;
  }
  refuse(position, "OpenCL C has no type for elements of '" +
                       std::string(py::str(static_cast<py::object>(type))) + "'");
}

std::span<const std::byte> content(const py::array& array) {
  return {static_cast<const std::byte*>(array.data()), static_cast<std::size_t>(array.nbytes())};
}

KernelArgument whole(const py::array& array, std::size_t position) {
  if ((array.flags() & py::array::c_style) == 0)
    refuse(position, "the array is not contiguous: pass numpy.ascontiguousarray(…) of it");
  KernelArgument argument;
  argument.type = type_name(array.dtype(), position);
  argument.element_size = static_cast<std::size_t>(array.itemsize());
  argument.bytes = content(array);
  argument.size = argument.bytes.size();
  return argument;
}

KernelArgument without_content(KernelArgument::Kind kind, const py::dtype& type, std::size_t count,
                               std::size_t position) {
  KernelArgument argument;
  argument.kind = kind;
  argument.type = type_name(type, position);
  argument.element_size = static_cast<std::size_t>(type.itemsize());
  argument.size = argument.element_size * count;
  return argument;
}

} // namespace

KernelArgument array_argument(py::array array, std::size_t position) {
  KernelArgument argument = whole(array, position);
  argument.kind = KernelArgument::Kind::Buffer;
  if (array.writeable())
    argument.read_back = static_cast<std::byte*>(array.mutable_data());
  return argument;
}

detail::KernelArgument kernel_argument(const py::handle& value, std::size_t position) {
  if (value.is_none())
    return detail::own_argument(nullptr);
  if (py::isinstance<LocalMemory>(value)) {
    const auto& memory = value.cast<const LocalMemory&>();
    return without_content(KernelArgument::Kind::Local, memory.type, memory.count, position);
  }
  if (py::isinstance<OutputBuffer>(value)) {
    const auto& output = value.cast<const OutputBuffer&>();
    KernelArgument argument =
        without_content(KernelArgument::Kind::Buffer, output.type, output.count, position);
    argument.output = true;
    return argument;
  }
  if (py::isinstance<VectorValue>(value)) {
    const py::array& components = value.cast<const VectorValue&>().components;
    KernelArgument argument = whole(components, position);
    if (!argument.type.empty() && components.size() != 1)
      argument.type += std::to_string(components.size());
    argument.element_size = argument.size;
    return argument;
  }
  if (py::isinstance<ImageValue>(value))
    return image_argument(value.cast<const ImageValue&>(), position);
  if (py::isinstance<Sampler>(value))
    return detail::own_argument(value.cast<const Sampler&>());
  if (py::isinstance<py::array>(value)) {
    const auto array = py::reinterpret_borrow<py::array>(value);
    return array.ndim() == 0 ? whole(array, position) : array_argument(array, position);
  }
  if (py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value))
    refuse(position, "a Python " + what_it_is(value) +
                         " does not say which type the kernel gets: write numpy.int32(…), "
                         "numpy.float32(…) and so on");
  refuse(position, "'" + what_it_is(value) +
                       "' is no kernel argument: pass a NumPy array or scalar, or what "
                       "gputest.out, gputest.local, gputest.value, gputest.image2d and so on make");
}

} // namespace gputest::python
