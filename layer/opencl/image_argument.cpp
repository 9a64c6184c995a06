// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/image_argument.h"

#include "gputest/error.h"

#include <algorithm>

namespace gputest::layer {
namespace {

// 0 if the OpenCL implementation does not say.
template <typename Value> Value image_info(cl_mem image, cl_image_info name) {
  Value value{};
  implementation().clGetImageInfo(image, name, sizeof(Value), static_cast<void*>(&value), nullptr);
  return value;
}

template <typename Value> Value sampler_info(cl_sampler sampler, cl_sampler_info name) {
  Value value{};
  implementation().clGetSamplerInfo(sampler, name, sizeof(Value), &value, nullptr);
  return value;
}

} // namespace

runtime::ImageLayout layout_of(cl_mem image, std::string_view type_name, const std::string& what) {
  cl_mem_object_type type = 0;
  if (implementation().clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, nullptr) !=
      CL_SUCCESS)
    throw UsageError(what + ": is no image");
  if (image_info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS) > 1 ||
      image_info<cl_uint>(image, CL_IMAGE_NUM_SAMPLES) > 1)
    throw UsageError(what + ": images with mip maps or several samples are not supported");
  const bool is_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  const auto size = [&](cl_image_info name) { // what the kind of image lacks is 0
    return std::max<std::size_t>(1, image_info<std::size_t>(image, name));
  };
  const runtime::ImageLayout layout = runtime::image_layout(
      type, image_info<cl_image_format>(image, CL_IMAGE_FORMAT), size(CL_IMAGE_WIDTH),
      type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : size(CL_IMAGE_HEIGHT),
      size(is_array ? CL_IMAGE_ARRAY_SIZE : CL_IMAGE_DEPTH), what);
  const runtime::ImageWords words = runtime::words_of(layout);
  if (runtime::image_layout(type_name, words.shape, words.channel_order, words.channel_type, what)
          .type != type)
    throw UsageError(what + ": is an image of another kind than the kernel's argument");
  return layout;
}

cl_mem buffer_of(cl_mem image, const std::string& what) {
  cl_mem buffer = nullptr;
  implementation().clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem),
                                      static_cast<void*>(&buffer), nullptr);
  if (!buffer)
    buffer = image_info<cl_mem>(image, CL_IMAGE_BUFFER); // OpenCL 1.2 has it here
  if (!buffer)
    throw UsageError(what +
                     ": the OpenCL implementation does not say which buffer holds its pixels");
  return buffer;
}

SamplerView settings_of(cl_sampler sampler, const std::string& what) {
  const SamplerView settings{sampler_info<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE),
                             sampler_info<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE),
                             sampler_info<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS) !=
                                 CL_FALSE};
  const runtime::SamplerWords words = runtime::words_of(settings);
  if (words.addressing_mode.empty() || words.filter_mode.empty())
    throw UsageError(what + ": its modes are not supported");
  return settings;
}

} // namespace gputest::layer
