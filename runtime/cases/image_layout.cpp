// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/image_layout.h"

#include "gputest/error.h"
#include "gputest/kernel_argument.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::Scalar;

template <typename Value> struct Named {
  std::string_view name;
  Value value;
};

struct ChannelType {
  cl_channel_type type;
  Scalar scalar;
  bool packed = false; // the number is a whole pixel
};

struct ChannelOrder {
  cl_channel_order order;
  unsigned channels;
};

struct ImageKind {
  cl_mem_object_type type;
  std::size_t dimensions; // of the shape, layers included
};

constexpr std::array kOrders{
    Named<ChannelOrder>{"R", {CL_R, 1}},
    Named<ChannelOrder>{"A", {CL_A, 1}},
    Named<ChannelOrder>{"INTENSITY", {CL_INTENSITY, 1}},
    Named<ChannelOrder>{"LUMINANCE", {CL_LUMINANCE, 1}},
    Named<ChannelOrder>{"RG", {CL_RG, 2}},
    Named<ChannelOrder>{"RA", {CL_RA, 2}},
    Named<ChannelOrder>{"RGBA", {CL_RGBA, 4}},
    Named<ChannelOrder>{"BGRA", {CL_BGRA, 4}},
    Named<ChannelOrder>{"ARGB", {CL_ARGB, 4}},
    Named<ChannelOrder>{"ABGR", {CL_ABGR, 4}},
    Named<ChannelOrder>{"Rx", {CL_Rx, 1}},
    Named<ChannelOrder>{"RGx", {CL_RGx, 2}},
    Named<ChannelOrder>{"RGB", {CL_RGB, 3}},
    Named<ChannelOrder>{"RGBx", {CL_RGBx, 3}},
    Named<ChannelOrder>{"DEPTH", {CL_DEPTH, 1}},
    Named<ChannelOrder>{"sRGBA", {CL_sRGBA, 4}},
    Named<ChannelOrder>{"sBGRA", {CL_sBGRA, 4}},
};

constexpr std::array kTypes{
    Named<ChannelType>{"float", {CL_FLOAT, Scalar::Float}},
    Named<ChannelType>{"half_float", {CL_HALF_FLOAT, Scalar::Half}},
    Named<ChannelType>{"snorm_int8", {CL_SNORM_INT8, Scalar::Char}},
    Named<ChannelType>{"snorm_int16", {CL_SNORM_INT16, Scalar::Short}},
    Named<ChannelType>{"unorm_int8", {CL_UNORM_INT8, Scalar::UChar}},
    Named<ChannelType>{"unorm_int16", {CL_UNORM_INT16, Scalar::UShort}},
    Named<ChannelType>{"signed_int8", {CL_SIGNED_INT8, Scalar::Char}},
    Named<ChannelType>{"signed_int16", {CL_SIGNED_INT16, Scalar::Short}},
    Named<ChannelType>{"signed_int32", {CL_SIGNED_INT32, Scalar::Int}},
    Named<ChannelType>{"unsigned_int8", {CL_UNSIGNED_INT8, Scalar::UChar}},
    Named<ChannelType>{"unsigned_int16", {CL_UNSIGNED_INT16, Scalar::UShort}},
    Named<ChannelType>{"unsigned_int32", {CL_UNSIGNED_INT32, Scalar::UInt}},
    Named<ChannelType>{"unorm_short_565", {CL_UNORM_SHORT_565, Scalar::UShort, true}},
    Named<ChannelType>{"unorm_short_555", {CL_UNORM_SHORT_555, Scalar::UShort, true}},
    Named<ChannelType>{"unorm_int_101010", {CL_UNORM_INT_101010, Scalar::UInt, true}},
};

constexpr std::array kKinds{
    Named<ImageKind>{"image1d_t", {CL_MEM_OBJECT_IMAGE1D, 1}},
    Named<ImageKind>{"image1d_buffer_t", {CL_MEM_OBJECT_IMAGE1D_BUFFER, 1}},
    Named<ImageKind>{"image1d_array_t", {CL_MEM_OBJECT_IMAGE1D_ARRAY, 2}},
    Named<ImageKind>{"image2d_t", {CL_MEM_OBJECT_IMAGE2D, 2}},
    Named<ImageKind>{"image2d_array_t", {CL_MEM_OBJECT_IMAGE2D_ARRAY, 3}},
    Named<ImageKind>{"image3d_t", {CL_MEM_OBJECT_IMAGE3D, 3}},
    Named<ImageKind>{"image2d_depth_t", {CL_MEM_OBJECT_IMAGE2D, 2}}, // behind images of its shape
    Named<ImageKind>{"image2d_array_depth_t", {CL_MEM_OBJECT_IMAGE2D_ARRAY, 3}},
};

constexpr std::array kAddressing{
    Named<cl_addressing_mode>{"none", CL_ADDRESS_NONE},
    Named<cl_addressing_mode>{"clamp_to_edge", CL_ADDRESS_CLAMP_TO_EDGE},
    Named<cl_addressing_mode>{"clamp", CL_ADDRESS_CLAMP},
    Named<cl_addressing_mode>{"repeat", CL_ADDRESS_REPEAT},
    Named<cl_addressing_mode>{"mirrored_repeat", CL_ADDRESS_MIRRORED_REPEAT},
};

constexpr std::array kFilters{
    Named<cl_filter_mode>{"nearest", CL_FILTER_NEAREST},
    Named<cl_filter_mode>{"linear", CL_FILTER_LINEAR},
};

template <typename Table>
auto named(const Table& table, std::string_view name, std::string_view kind,
           const std::string& what) {
  std::vector<std::string_view> names;
  for (const auto& entry : table) {
    if (entry.name == name)
      return entry.value;
    names.push_back(entry.name);
  }
  throw UsageError(fmt::format("{}: {} '{}' is not supported; there are: {}", what, kind, name,
                               fmt::join(names, ", ")));
}

// Looks up a word's enumerator the other way round.
template <typename Table, typename Is> std::string name_in(const Table& table, const Is& is) {
  const auto found =
      std::ranges::find_if(table, [&](const auto& entry) { return is(entry.value); });
  return found == table.end() ? "" : std::string(found->name);
}

// Returns the numbers of a pixel. Throws UsageError for formats that OpenCL does not have (5.3.1).
unsigned numbers_of_pixel(const ChannelOrder& order, const ChannelType& type,
                          const std::string& what) {
  if (type.packed != (order.channels == 3))
    throw UsageError(what + ": packed channel types are for the channel orders RGB and RGBx, and "
                            "these have no others");
  if ((order.order == CL_sRGBA || order.order == CL_sBGRA) && type.type != CL_UNORM_INT8)
    throw UsageError(what + ": the channel orders sRGBA and sBGRA need the type unorm_int8");
  if (order.order == CL_DEPTH && type.type != CL_FLOAT && type.type != CL_UNORM_INT16)
    throw UsageError(what + ": the channel order DEPTH needs the type float or unorm_int16");
  return type.packed ? 1 : order.channels;
}

} // namespace

model::Type ImageLayout::pixel_type() const {
  return channels == 1 ? model::scalar_type(channel) : model::vector_type(channel, channels);
}

ImageLayout image_layout(std::string_view type_name, const std::vector<std::size_t>& shape,
                         const std::string& channel_order, const std::string& channel_type,
                         const std::string& what) {
  const ImageKind kind = named(kKinds, type_name, "image type", what);
  const bool of_depth = type_name.ends_with("_depth_t");
  const char* const usual = of_depth ? "DEPTH" : "RGBA";
  const ChannelOrder order =
      named(kOrders, channel_order.empty() ? usual : channel_order, "channel_order", what);
  if (of_depth != (order.order == CL_DEPTH))
    throw UsageError(fmt::format("{}: '{}' and the channel order {} do not fit: DEPTH is for depth "
                                 "images, which have no other",
                                 what, type_name, channel_order));
  const ChannelType type =
      named(kTypes, channel_type.empty() ? "float" : channel_type, "channel_type", what);
  if (shape.size() != kind.dimensions || std::ranges::count(shape, 0u) != 0)
    throw UsageError(fmt::format("{}: shape [{}] does not fit '{}', which needs {} sizes above 0",
                                 what, fmt::join(shape, ", "), type_name, kind.dimensions));
  ImageLayout layout{.type = kind.type,
                     .format = {order.order, type.type},
                     .width = shape[0],
                     .channels = numbers_of_pixel(order, type, what),
                     .channel = type.scalar};
  if (kind.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
    layout.depth = shape[1];
  } else {
    layout.height = shape.size() > 1 ? shape[1] : 1;
    layout.depth = shape.size() > 2 ? shape[2] : 1;
  }
  return layout;
}

ImageLayout image_layout(cl_mem_object_type type, cl_image_format format, std::size_t width,
                         std::size_t height, std::size_t depth, const std::string& what) {
  ImageLayout layout{
      .type = type, .format = format, .width = width, .height = height, .depth = depth};
  const auto order = std::ranges::find_if(
      kOrders, [&](const auto& entry) { return entry.value.order == format.image_channel_order; });
  const auto channel = std::ranges::find_if(kTypes, [&](const auto& entry) {
    return entry.value.type == format.image_channel_data_type;
  });
  if (order == kOrders.end() || channel == kTypes.end())
    throw UsageError(fmt::format("{}: this channel order or channel type is not supported", what));
  layout.channels = numbers_of_pixel(order->value, channel->value, what);
  layout.channel = channel->value.scalar;
  return layout;
}

std::string_view name_of_images(cl_mem_object_type type) {
  const auto row = std::ranges::find_if(
      kKinds, [&](const Named<ImageKind>& kind) { return kind.value.type == type; });
  return row == kKinds.end() ? std::string_view{} : row->name;
}

std::array<std::size_t, 3> region_of(const ImageLayout& layout) {
  if (layout.type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    return {layout.width, layout.depth, 1};
  return {layout.width, layout.height, layout.depth};
}

ImageWords words_of(const ImageLayout& layout) {
  ImageWords words{{layout.width},
                   name_in(kOrders,
                           [&](const ChannelOrder& known) {
                             return known.order == layout.format.image_channel_order;
                           }),
                   name_in(kTypes, [&](const ChannelType& known) {
                     return known.type == layout.format.image_channel_data_type;
                   })};
  const auto kind =
      std::ranges::find(kKinds, layout.type, [](const auto& entry) { return entry.value.type; });
  const std::size_t dimensions = kind == kKinds.end() ? 3 : kind->value.dimensions;
  if (layout.type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    words.shape.push_back(layout.depth);
  else if (dimensions > 1)
    words.shape.push_back(layout.height);
  if (dimensions > 2)
    words.shape.push_back(layout.depth);
  return words;
}

SamplerWords words_of(const SamplerView& sampler) {
  return {name_in(kAddressing,
                  [&](cl_addressing_mode mode) { return mode == sampler.addressing_mode; }),
          name_in(kFilters, [&](cl_filter_mode mode) { return mode == sampler.filter_mode; })};
}

SamplerView sampler_settings(const std::string& addressing_mode, const std::string& filter_mode,
                             bool normalized_coordinates, const std::string& what) {
  return {named(kAddressing, addressing_mode.empty() ? "clamp_to_edge" : addressing_mode,
                "addressing_mode", what),
          named(kFilters, filter_mode.empty() ? "nearest" : filter_mode, "filter_mode", what),
          normalized_coordinates};
}

} // namespace gputest::runtime

gputest::Sampler gputest::detail::sampler_named(const std::string& addressing_mode,
                                                const std::string& filter_mode,
                                                bool normalized_coordinates,
                                                const std::string& what) {
  const SamplerView sampler =
      runtime::sampler_settings(addressing_mode, filter_mode, normalized_coordinates, what);
  return {sampler.addressing_mode, sampler.filter_mode, sampler.normalized_coordinates};
}
