// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/memory/images.h"

#include "ir/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace gputest::simulator {
namespace {

// As LLVM passes them.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

// OpenCL's numbers (CL/cl.h), because this folder does not depend on OpenCL.
enum : std::uint32_t {
  kImage2D = 0x10F1,
  kImage3D = 0x10F2,
  kImage2DArray = 0x10F3,
  kImage1D = 0x10F4,
  kImage1DArray = 0x10F5,
  kImage1DBuffer = 0x10F6
};
// Clang's values of CLK_….
enum : std::uint32_t {
  kNormalized = 1,
  kClampToEdge = 2,
  kClamp = 4,
  kRepeat = 6,
  kMirroredRepeat = 8,
  kAddressing = 0xE,
  kLinear = 0x20
};

std::byte* pixel(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z) {
  return image.pixels + static_cast<std::size_t>((z * image.height + y) * image.width + x) *
                            pixel_size(*image.order, *image.format);
}

bool inside(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z) {
  return x >= 0 && y >= 0 && z >= 0 && x < image.width && y < image.height && z < image.depth;
}

// Native functions have no object, so this is global.
PixelWatch pixel_watch = nullptr; // NOLINT

void tell_bytes(const Image& image, const std::byte* place, std::size_t size, bool write) {
  if (pixel_watch && image.written)
    pixel_watch(place, size, write);
}

void tell(const Image& image, const std::byte* pixel, bool write) {
  tell_bytes(image, pixel, pixel_size(*image.order, *image.format), write);
}

// Returns the colour there, or the border's outside.
Colour colour_at(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z) {
  if (!inside(image, x, y, z))
    return image.order->border();
  const std::byte* const place = pixel(image, x, y, z);
  tell(image, place, false);
  return read_pixel(place, *image.order, *image.format);
}

// One dimension of a sampled coordinate: the two pixels around it and the distance from the first.
// The nearest filter uses only the first.
struct Along {
  std::int64_t first = 0, second = 0;
  float fraction = 0;
};

Along along(float at, std::uint32_t size, std::uint32_t sampler) {
  const bool linear = (sampler & kLinear) != 0;
  const auto extent = static_cast<float>(size);
  const std::int64_t last = static_cast<std::int64_t>(size) - 1;
  const std::uint32_t addressing = sampler & kAddressing;
  float u = at;
  if (addressing == kRepeat)
    u = (at - std::floor(at)) * extent;
  else if (addressing == kMirroredRepeat)
    u = std::fabs(at - 2.0f * std::rint(0.5f * at)) * extent;
  else if (sampler & kNormalized)
    u = at * extent;
  if (!(std::fabs(u) < 1e9f)) // far outside, infinite or no number
    u = u > 0 ? 1e9f : -1e9f;
  Along result;
  const float shifted = linear ? u - 0.5f : u;
  const float whole = std::floor(shifted);
  result.first = static_cast<std::int64_t>(whole);
  result.second = result.first + 1;
  result.fraction = shifted - whole;
  if (addressing == kRepeat) {
    if (result.first < 0)
      result.first += size;
    if (result.first > last)
      result.first -= size;
    if (result.second > last)
      result.second -= size;
  } else if (addressing != kClamp) {
    result.first = std::clamp<std::int64_t>(result.first, 0, last);
    result.second = std::clamp<std::int64_t>(result.second, 0, last);
  }
  return result;
}

std::int64_t layer(float at, std::uint32_t layers) {
  if (std::isnan(at))
    return 0;
  return static_cast<std::int64_t>(
      std::clamp(std::rint(at), 0.0f, static_cast<float>(layers) - 1.0f));
}

bool is_1d(const Image& image) {
  return image.type == kImage1D || image.type == kImage1DBuffer || image.type == kImage1DArray;
}

Colour sampled(const Image& image, std::uint32_t sampler, Float4 at) {
  const Along x = along(at[0], image.width, sampler);
  const Along y = is_1d(image) ? Along{} : along(at[1], image.height, sampler);
  Along z;
  if (image.type == kImage3D)
    z = along(at[2], image.depth, sampler);
  else if (image.type == kImage2DArray)
    z.first = layer(at[2], image.depth);
  else if (image.type == kImage1DArray)
    z.first = layer(at[1], image.depth);
  if (!(sampler & kLinear))
    return colour_at(image, x.first, y.first, z.first);
  Colour sum{};
  for (unsigned corner = 0; corner < 8; ++corner) {
    const bool right = corner & 1, below = corner & 2, behind = corner & 4;
    if ((below && is_1d(image)) || (behind && image.type != kImage3D))
      continue;
    float weight = right ? x.fraction : 1 - x.fraction;
    if (!is_1d(image))
      weight *= below ? y.fraction : 1 - y.fraction;
    if (image.type == kImage3D)
      weight *= behind ? z.fraction : 1 - z.fraction;
    const Colour colour = colour_at(image, right ? x.second : x.first, below ? y.second : y.first,
                                    behind ? z.second : z.first);
    for (unsigned i = 0; i < 4; ++i)
      if (weight != 0) // an infinity with weight 0 does not count
        sum[i] += static_cast<double>(weight) * colour[i];
  }
  return sum;
}

// Row, column, and slice or layer.
std::array<std::int64_t, 3> texel_of(const Image& image, Int4 at) {
  const bool slices = image.type == kImage3D || image.type == kImage2DArray;
  return {at[0], is_1d(image) ? 0 : at[1],
          slices                        ? at[2]
          : image.type == kImage1DArray ? at[1]
                                        : 0};
}

// Reads at integer coordinates, without a filter.
Colour fetched(const Image& image, std::uint32_t sampler, Int4 at) {
  auto [x, y, z] = texel_of(image, at);
  if ((sampler & kAddressing) != kClamp) {
    x = std::clamp<std::int64_t>(x, 0, image.width - 1);
    y = std::clamp<std::int64_t>(y, 0, image.height - 1);
  }
  if ((sampler & kAddressing) != kClamp || image.type != kImage3D)
    z = std::clamp<std::int64_t>(z, 0, image.depth - 1);
  return colour_at(image, x, y, z);
}

Float4 as_floats(const Colour& colour) {
  Float4 result{};
  for (int i = 0; i < 4; ++i)
    result[i] = static_cast<float>(colour[static_cast<unsigned>(i)]);
  return result;
}

// Signed and unsigned share the bits.
Int4 as_integers(const Colour& colour) {
  Int4 result{};
  for (int i = 0; i < 4; ++i)
    result[i] =
        static_cast<std::int32_t>(static_cast<std::int64_t>(colour[static_cast<unsigned>(i)]));
  return result;
}

void write(const Image& image, Int4 at, const Colour& colour) {
  const auto [x, y, z] = texel_of(image, at);
  if (!inside(image, x, y, z)) // undefined; devices write nothing
    return;
  std::byte* const place = pixel(image, x, y, z);
  tell(image, place, true);
  write_pixel(place, *image.order, *image.format, colour);
}

// A part of a row of a 2D image by bytes, whatever the format of its pixels.
struct RowBytes {
  std::byte* place;
  std::size_t size;
  bool inside;
};

// Outside, it is the nearest part that is inside.
RowBytes row_bytes(const Image& image, std::int32_t at_x, std::int32_t at_y, std::uint32_t size) {
  const std::int64_t row = std::int64_t{image.width} *
                           static_cast<std::int64_t>(pixel_size(*image.order, *image.format)),
                     x = std::clamp<std::int64_t>(at_x, 0, std::max<std::int64_t>(0, row - size)),
                     y = std::clamp<std::int64_t>(at_y, 0, std::int64_t{image.height} - 1);
  return {image.pixels + y * row + x, std::min(std::size_t{size}, static_cast<std::size_t>(row)),
          x == at_x && y == at_y && row >= size};
}

bool is_outside(float at, std::uint32_t size, std::uint32_t sampler) {
  const float extent = static_cast<float>(size);
  const float place = sampler & kNormalized ? at * extent : at;
  return !(place >= 0 && place < extent);
}

extern "C" {
// Whether OpenCL C leaves open what an access does, because it is outside of the image. Layers are
// clamped by reads.
std::uint32_t gputest_undefined_read(const Image* image, std::uint32_t sampler, Float4 at) {
  return (sampler & kAddressing) == 0 &&
         (is_outside(at[0], image->width, sampler) ||
          (!is_1d(*image) && is_outside(at[1], image->height, sampler)) ||
          (image->type == kImage3D && is_outside(at[2], image->depth, sampler)));
}
std::uint32_t gputest_undefined_fetch(const Image* image, std::uint32_t sampler, Int4 at) {
  const auto [x, y, z] = texel_of(*image, at);
  return (sampler & kAddressing) == 0 && !inside(*image, x, y, image->type == kImage3D ? z : 0);
}
std::uint32_t gputest_undefined_write(const Image* image, Int4 at) {
  const auto [x, y, z] = texel_of(*image, at);
  return !inside(*image, x, y, z);
}
Float4 gputest_read_imagef(const Image* image, std::uint32_t sampler, Float4 at) {
  return as_floats(sampled(*image, sampler, at));
}
Int4 gputest_read_imagei(const Image* image, std::uint32_t sampler, Float4 at) {
  return as_integers(sampled(*image, sampler & ~kLinear, at));
}
Float4 gputest_fetch_imagef(const Image* image, std::uint32_t sampler, Int4 at) {
  return as_floats(fetched(*image, sampler, at));
}
Int4 gputest_fetch_imagei(const Image* image, std::uint32_t sampler, Int4 at) {
  return as_integers(fetched(*image, sampler, at));
}
void gputest_write_imagef(const Image* image, Int4 at, Float4 colour) {
  write(*image, at,
        {static_cast<double>(colour[0]), static_cast<double>(colour[1]),
         static_cast<double>(colour[2]), static_cast<double>(colour[3])});
}
void gputest_write_imagei(const Image* image, Int4 at, Int4 colour) {
  Colour wide{};
  for (int i = 0; i < 4; ++i)
    wide[static_cast<unsigned>(i)] =
        image->format->is_unsigned ? static_cast<double>(static_cast<std::uint32_t>(colour[i]))
                                   : static_cast<double>(colour[i]);
  write(*image, at, wide);
}
std::uint32_t gputest_undefined_block(const Image* image, std::int32_t x, std::int32_t y,
                                      std::uint32_t size) {
  return !row_bytes(*image, x, y, size).inside;
}
std::uint64_t gputest_block_read(const Image* image, std::int32_t x, std::int32_t y,
                                 std::uint32_t size) {
  const RowBytes bytes = row_bytes(*image, x, y, size);
  tell_bytes(*image, bytes.place, bytes.size, false);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.place, bytes.size);
  return bits;
}
void gputest_block_write(const Image* image, std::int32_t x, std::int32_t y, std::uint32_t size,
                         std::uint64_t bits) {
  const RowBytes bytes = row_bytes(*image, x, y, size);
  if (!bytes.inside) // undefined; devices write nothing
    return;
  tell_bytes(*image, bytes.place, bytes.size, true);
  std::memcpy(bytes.place, &bits, size);
}
std::uint32_t gputest_image_number(const Image* image, int which) {
  switch (which) {
  case 0:
    return image->width;
  case 1:
    return image->height;
  case 2:
  case 3:
    return image->depth;
  case 4:
    return image->channel_type;
  default:
    return image->channel_order;
  }
}
}

} // namespace

void complete(Image& image, std::size_t bytes, const std::string& name) {
  image.order = channel_order(image.channel_order);
  image.format = channel_type(image.channel_type);
  if (!image.order || !image.format)
    throw ir::InputError(fmt::format("image '{}': channel {} {:#x} is not supported", name,
                                     image.order ? "type" : "order",
                                     image.order ? image.channel_type : image.channel_order));
  if (const auto why = refused(*image.order, *image.format))
    throw ir::InputError(fmt::format("image '{}': {}", name, *why));
  const std::size_t area = std::size_t{image.width} * image.height; // does not wrap
  const std::size_t pixel = pixel_size(*image.order, *image.format);
  if (image.depth != 0 && area > std::numeric_limits<std::size_t>::max() / pixel / image.depth)
    throw ir::InputError(fmt::format("image '{}' is larger than any memory", name));
  const std::size_t needed = area * image.depth * pixel;
  if (needed != bytes)
    throw ir::InputError(
        fmt::format("image '{}' needs {} bytes, and {} are given", name, needed, bytes));
}

std::uint32_t sampler_bits(bool normalized, std::uint32_t addressing, std::uint32_t filter) {
  // CL_ADDRESS_NONE is 0x1130, and the others follow in the order of Clang's; CL_FILTER_LINEAR is
  // 0x1141.
  return (normalized ? kNormalized : 0u) | ((addressing - 0x1130) << 1) |
         (filter == 0x1141 ? kLinear : 0x10u);
}

void watch_pixels(PixelWatch watch) {
  pixel_watch = watch;
}

std::vector<NativeSymbol> image_symbols() {
  return {{"gputest_read_imagef", reinterpret_cast<void*>(&gputest_read_imagef)},
          {"gputest_read_imagei", reinterpret_cast<void*>(&gputest_read_imagei)},
          {"gputest_fetch_imagef", reinterpret_cast<void*>(&gputest_fetch_imagef)},
          {"gputest_fetch_imagei", reinterpret_cast<void*>(&gputest_fetch_imagei)},
          {"gputest_write_imagef", reinterpret_cast<void*>(&gputest_write_imagef)},
          {"gputest_write_imagei", reinterpret_cast<void*>(&gputest_write_imagei)},
          {"gputest_block_read", reinterpret_cast<void*>(&gputest_block_read)},
          {"gputest_block_write", reinterpret_cast<void*>(&gputest_block_write)},
          {"gputest_undefined_block", reinterpret_cast<void*>(&gputest_undefined_block)},
          {"gputest_undefined_read", reinterpret_cast<void*>(&gputest_undefined_read)},
          {"gputest_undefined_fetch", reinterpret_cast<void*>(&gputest_undefined_fetch)},
          {"gputest_undefined_write", reinterpret_cast<void*>(&gputest_undefined_write)},
          {"gputest_image_number", reinterpret_cast<void*>(&gputest_image_number)}};
}

} // namespace gputest::simulator
