// Images and samplers as arguments of traced kernels.
#pragma once

#include "simulator/memory/images.h"
#include "tests/memory/traced.h"

namespace gputest::memory::tests {

// OpenCL's numbers (CL/cl.h).
enum : std::uint32_t { kImage2D = 0x10F1, kImage3D = 0x10F2, kImage1D = 0x10F4 };
enum : std::uint32_t { kR = 0x10B0, kRg = 0x10B2, kRgba = 0x10B5 };
enum : std::uint32_t { kByte = 0x10D2, kHalf = 0x10DD, kFloat = 0x10DE };
enum : std::uint32_t { kClamp = 0x1132, kNearest = 0x1140, kLinear = 0x1141 };

// Channels of 4 bytes, unless they are of another type.
inline GivenArgument image(std::uint32_t width, std::uint32_t height, std::uint32_t depth = 1,
                           std::uint32_t order = kR, std::uint32_t type = kImage2D,
                           std::uint32_t channels = kFloat) {
  GivenArgument given;
  given.kind = ir::Parameter::Kind::Image;
  given.image = {.type = type,
                 .width = width,
                 .height = height,
                 .depth = depth,
                 .channel_order = order,
                 .channel_type = channels};
  const std::size_t bytes = channels == kByte ? 1 : channels == kHalf ? 2 : 4;
  given.bytes.resize(std::size_t{width} * height * depth * bytes *
                     (order == kR    ? 1
                      : order == kRg ? 2
                                     : 4));
  return given;
}

inline GivenArgument sampler(std::uint32_t filter) {
  GivenArgument given;
  given.kind = ir::Parameter::Kind::Sampler;
  given.sampler = simulator::sampler_bits(false, kClamp, filter);
  return given;
}

} // namespace gputest::memory::tests
