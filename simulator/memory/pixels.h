// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formats of pixels: channel orders and channel types of OpenCL 1.2, 5.3.1.1, with the
// conversions of 8.3.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gputest::simulator {

using Colour = std::array<double, 4>; // 32-bit integers are exact

struct ChannelType {
  std::uint32_t size = 0; // bytes
  double (*read)(const std::byte* from) = nullptr;
  void (*write)(std::byte* to, double value) = nullptr; // rounds to nearest even and saturates
  bool is_unsigned = false;                             // an unsigned integer, not normalized
  // Of a packed pixel, which `size` bytes hold: the bits of its three components, the first in the
  // highest.
  std::array<unsigned, 3> bits{};

  bool packed() const { return bits[0] != 0; }
};

struct ChannelOrder {
  std::uint32_t channels = 0;
  // For each component of a colour: the channel that holds it, or one of these.
  std::array<int, 4> channel_of{};
  static constexpr int kZero = -1, kOne = -2;

  bool transparent_border = false; // CL_Rx and its like
  bool srgb = false;               // the first three components are not linear in memory

  // Returns the colour outside of the image.
  Colour border() const {
    return {0, 0, 0, channel_of[3] == kOne && !transparent_border ? 1.0 : 0.0};
  }
};

// Find formats by OpenCL's numbers (CL/cl.h); null: not supported.
const ChannelType* channel_type(std::uint32_t number);
const ChannelOrder* channel_order(std::uint32_t number);

// Returns why no image has both, where that is so.
std::optional<std::string_view> refused(const ChannelOrder& order, const ChannelType& type);

// Returns the bytes of a pixel.
std::size_t pixel_size(const ChannelOrder& order, const ChannelType& type);
Colour read_pixel(const std::byte* from, const ChannelOrder& order, const ChannelType& type);
void write_pixel(std::byte* to, const ChannelOrder& order, const ChannelType& type,
                 const Colour& colour);

} // namespace gputest::simulator
