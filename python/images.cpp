// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/images.h"

#include "gputest/error.h"
#include "python/arguments.h"

#include <array>

namespace gputest::python {
namespace {

namespace py = pybind11;
using detail::KernelArgument;

constexpr std::array kKinds{
    ImageKind{"image1d", CL_MEM_OBJECT_IMAGE1D, 1, false},
    ImageKind{"image1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, false},
    ImageKind{"image1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, true},
    ImageKind{"image2d", CL_MEM_OBJECT_IMAGE2D, 2, false},
    ImageKind{"image2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, true},
    ImageKind{"image3d", CL_MEM_OBJECT_IMAGE3D, 3, false},
};

struct Order {
  const char* name;
  cl_channel_order order;
  py::ssize_t channels;
};

// Channel orders. Without a name, the first one with the array's number of channels counts.
constexpr std::array kOrders{
    Order{"R", CL_R, 1},
    Order{"RG", CL_RG, 2},
    Order{"RGBA", CL_RGBA, 4},
    Order{"BGRA", CL_BGRA, 4},
    Order{"ARGB", CL_ARGB, 4},
    Order{"A", CL_A, 1},
    Order{"RA", CL_RA, 2},
    Order{"LUMINANCE", CL_LUMINANCE, 1},
    Order{"INTENSITY", CL_INTENSITY, 1},
    Order{"ABGR", CL_ABGR, 4},
    Order{"Rx", CL_Rx, 1},
    Order{"RGx", CL_RGx, 2},
    Order{"DEPTH", CL_DEPTH, 1},
    Order{"sRGBA", CL_sRGBA, 4},
    Order{"sBGRA", CL_sBGRA, 4},
};

struct ChannelType {
  const char* type; // OpenCL C's
  cl_channel_type whole;
  cl_channel_type normalized; // 0: none
};

constexpr std::array kTypes{
    ChannelType{"float", CL_FLOAT, 0},
    ChannelType{"half", CL_HALF_FLOAT, 0},
    ChannelType{"char", CL_SIGNED_INT8, CL_SNORM_INT8},
    ChannelType{"short", CL_SIGNED_INT16, CL_SNORM_INT16},
    ChannelType{"int", CL_SIGNED_INT32, 0},
    ChannelType{"uchar", CL_UNSIGNED_INT8, CL_UNORM_INT8},
    ChannelType{"ushort", CL_UNSIGNED_INT16, CL_UNORM_INT16},
    ChannelType{"uint", CL_UNSIGNED_INT32, 0},
};

[[noreturn]] void refuse(const ImageKind& kind, std::size_t position, const std::string& why) {
  throw UsageError("argument " + std::to_string(position) + ": gputest." + kind.name + ": " + why);
}

std::string names_of_orders() {
  std::string names;
  for (const Order& row : kOrders)
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

Order order_of(const ImageValue& image, py::ssize_t channels, std::size_t position) {
  for (const Order& row : kOrders)
    if (image.order.empty() ? row.channels == channels : row.name == image.order) {
      if (row.channels != channels)
        refuse(image.kind, position,
               "the order " + image.order + " has " + std::to_string(row.channels) +
                   " channels, and the array " + std::to_string(channels));
      return row;
    }
  if (image.order.empty())
    refuse(image.kind, position,
           "the last axis is the channels: 1, 2 or 4, not " + std::to_string(channels));
  refuse(image.kind, position, "'" + image.order + "' is no order: " + names_of_orders());
}

cl_channel_type type_of(const ImageValue& image, const std::string& type, std::size_t position) {
  for (const ChannelType& row : kTypes)
    if (row.type == type) {
      if (!image.normalized)
        return row.whole;
      if (row.normalized == 0)
        refuse(image.kind, position, "no " + type + " is normalized: pass 8 or 16 bits");
      return row.normalized;
    }
  refuse(image.kind, position, "no image has channels of the array's type");
}

} // namespace

KernelArgument image_argument(const ImageValue& image, std::size_t position) {
  const py::array& pixels = image.pixels;
  const int dimensions = image.kind.dimensions;
  if (pixels.ndim() != dimensions && pixels.ndim() != dimensions + 1)
    refuse(image.kind, position,
           "the array has " + std::to_string(pixels.ndim()) + " dimensions, and needs " +
               std::to_string(dimensions) + ", or one more for channels");
  KernelArgument argument = array_argument(pixels, position);
  const py::ssize_t channels = pixels.ndim() > dimensions ? pixels.shape(dimensions) : 1;
  std::array<std::size_t, 3> sizes{1, 1, 1}; // width, height, depth
  for (int i = 0; i < dimensions; ++i)
    sizes[i] = static_cast<std::size_t>(pixels.shape(dimensions - 1 - i));
  if (image.kind.layers && dimensions == 2)
    std::swap(sizes[1], sizes[2]);
  argument.kind = KernelArgument::Kind::Image;
  argument.image = {.type = image.kind.type,
                    .format = {order_of(image, channels, position).order,
                               type_of(image, argument.type, position)},
                    .width = sizes[0],
                    .height = sizes[1],
                    .depth = sizes[2],
                    .pixels = argument.bytes,
                    .read_back = argument.read_back};
  argument.type.clear();
  return argument;
}

void add_images(py::module_& module) {
  py::class_<ImageValue>(module, "Image");
  py::class_<Sampler>(module, "Sampler");
  for (const ImageKind& kind : kKinds)
    module.def(
        kind.name,
        [kind](py::array pixels, std::string order, bool normalized) {
          return ImageValue{kind, std::move(pixels), std::move(order), normalized};
        },
        py::arg("pixels"), py::arg("order") = "", py::arg("normalized") = false,
        "an image of the array: its last axis is the channels, if there are several");
  module.def(
      "sampler",
      [](const std::string& addressing, const std::string& filter, bool normalized_coordinates) {
        return detail::sampler_named(addressing, filter, normalized_coordinates, "gputest.sampler");
      },
      py::arg("addressing_mode") = "clamp_to_edge", py::arg("filter_mode") = "nearest",
      py::arg("normalized_coordinates") = false, "a sampler");
}

} // namespace gputest::python
