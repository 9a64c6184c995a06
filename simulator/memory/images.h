// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: native functions for kernels' image functions (templates/simulator/images.cl). Addressing
// and filtering follow OpenCL 1.2, chapter 8, and conversions 8.3.
#pragma once

#include "simulator/memory/native_symbol.h"
#include "simulator/memory/pixels.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gputest::simulator {

// An image. Pixels are stored row by row and slice by slice without gaps. Types, channel orders and
// channel types are OpenCL's own numbers.
struct Image {
  std::byte* pixels = nullptr;
  std::uint32_t type = 0;
  std::uint32_t width = 1, height = 1, depth = 1; // in pixels; depth: slices or layers
  std::uint32_t channel_order = 0, channel_type = 0;
  const ChannelOrder* order = nullptr; // set by complete()
  const ChannelType* format = nullptr;
  bool written = true; // may be, by the launch; pixels of others are not watched

  bool operator==(const Image&) const = default;
};

// Sets `order` and `format`. Throws InputError for unsupported formats, and if the pixels do not
// take `bytes` bytes.
void complete(Image& image, std::size_t bytes, const std::string& name);

// Converts OpenCL's numbers to the value of sampler_t in compiled code.
std::uint32_t sampler_bits(bool normalized, std::uint32_t addressing, std::uint32_t filter);

// Is called before kernels access a pixel of an image that may be written. Null: no watch.
using PixelWatch = void (*)(const std::byte* pixel, std::size_t size, bool write);
void watch_pixels(PixelWatch watch);

// Returns the functions for LoadedCode.
std::vector<NativeSymbol> image_symbols();

} // namespace gputest::simulator
