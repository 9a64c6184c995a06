// Images: what kernels' image functions (templates/simulator/images.cl) call. Addressing and
// filtering are those of OpenCL 1.2, chapter 8; conversions those of 8.3.
#pragma once

#include "simulator/execute/loader.h"
#include "simulator/execute/pixels.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gputest::simulator {

// Pixels lie row by row and slice by slice without gaps. Types, orders and channel types are
// OpenCL's own numbers.
struct Image {
  std::byte* pixels = nullptr;
  std::uint32_t type = 0;
  std::uint32_t width = 1, height = 1, depth = 1; // depth: or layers
  std::uint32_t channel_order = 0, channel_type = 0;
  const ChannelOrder* order = nullptr; // by complete()
  const ChannelType* format = nullptr;

  bool operator==(const Image&) const = default;
};

// Sets what the numbers say. Throws InputError for formats that are not supported, and where
// the pixels are not `bytes` bytes.
void complete(Image& image, std::size_t bytes, const std::string& name);

// From OpenCL's own numbers to what sampler_t holds in compiled code.
std::uint32_t sampler_bits(bool normalized, std::uint32_t addressing, std::uint32_t filter);

// Is told of each pixel that kernels are about to access; null: nobody is.
using PixelWatch = void (*)(const std::byte* pixel, std::size_t size, bool write);
void watch_pixels(PixelWatch watch);

std::vector<NativeSymbol> image_symbols();

} // namespace gputest::simulator
