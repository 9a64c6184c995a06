// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates images and samplers between the words of test cases and OpenCL's enums.
#pragma once

#include "gputest/reference.h"
#include "model/type.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::runtime {

struct ImageLayout {
  cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
  cl_image_format format{CL_RGBA, CL_FLOAT};
  std::size_t width = 1, height = 1, depth = 1; // in pixels; depth: or layers
  unsigned channels = 4;
  model::Scalar channel = model::Scalar::Float; // how it lies in memory: unorm_int8 is UChar

  std::size_t pixels() const { return width * height * depth; }
  std::size_t pixel_size() const { return channels * model::size_of(channel); }
  // Returns the type of a pixel. It names the channels in messages, and reads them from JSON.
  model::Type pixel_type() const;
};

// Returns the layout of an image that a test case describes. `type_name` is OpenCL C's, such as
// "image2d_array_t". An empty order is RGBA, and an empty channel type is float. The shape is
// [width], [width, height], …, [.., layers]. Throws UsageError beginning with `what`.
ImageLayout image_layout(std::string_view type_name, const std::vector<std::size_t>& shape,
                         const std::string& channel_order, const std::string& channel_type,
                         const std::string& what);

// Returns the layout of an image with OpenCL's enums. Throws UsageError for formats that are not
// supported.
ImageLayout image_layout(cl_mem_object_type type, cl_image_format format, std::size_t width,
                         std::size_t height, std::size_t depth, const std::string& what);

// Returns OpenCL C's name of images of this kind, such as "image2d_t". Empty: there are none.
std::string_view name_of_images(cl_mem_object_type type);

// Returns width, height or layers, and depth or layers, as commands that read and write whole
// images take them.
std::array<std::size_t, 3> region_of(const ImageLayout& layout);

// How a test case describes an image, so that image_layout() makes the same layout of it.
struct ImageWords {
  std::vector<std::size_t> shape;
  std::string channel_order, channel_type;
};
// `layout` must come from image_layout().
ImageWords words_of(const ImageLayout& layout);

// How a test case describes a sampler. Its modes must be those of OpenCL 1.2.
struct SamplerWords {
  std::string addressing_mode, filter_mode;
};
SamplerWords words_of(const SamplerView& sampler);

// Returns the sampler that a test case describes. Empty words mean clamp_to_edge and nearest.
// Throws UsageError beginning with `what`.
SamplerView sampler_settings(const std::string& addressing_mode, const std::string& filter_mode,
                             bool normalized_coordinates, const std::string& what);

} // namespace gputest::runtime
