#include "simulator/images.h"

#include "simulator/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <llvm/ADT/APFloat.h>

namespace gputest::simulator {
namespace {

// As LLVM passes them.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

using Colour = std::array<double, 4>; // integers of 32 bits fit

// OpenCL's numbers (CL/cl.h); the compiler's library is no dependency of this folder.
enum : std::uint32_t {
  kR = 0x10B0,
  kA = 0x10B1,
  kRG = 0x10B2,
  kRA = 0x10B3,
  kRGB = 0x10B4,
  kRGBA = 0x10B5,
  kBGRA = 0x10B6,
  kARGB = 0x10B7,
  kIntensity = 0x10B8,
  kLuminance = 0x10B9
};
enum : std::uint32_t {
  kSnormInt8 = 0x10D0,
  kSnormInt16 = 0x10D1,
  kUnormInt8 = 0x10D2,
  kUnormInt16 = 0x10D3,
  kSignedInt8 = 0x10D7,
  kSignedInt16 = 0x10D8,
  kSignedInt32 = 0x10D9,
  kUnsignedInt8 = 0x10DA,
  kUnsignedInt16 = 0x10DB,
  kUnsignedInt32 = 0x10DC,
  kHalfFloat = 0x10DD,
  kFloat = 0x10DE
};
enum : std::uint32_t {
  kImage2D = 0x10F1,
  kImage3D = 0x10F2,
  kImage2DArray = 0x10F3,
  kImage1D = 0x10F4,
  kImage1DArray = 0x10F5,
  kImage1DBuffer = 0x10F6
};
// What CLK_… are to Clang.
enum : std::uint32_t {
  kNormalized = 1,
  kClampToEdge = 2,
  kClamp = 4,
  kRepeat = 6,
  kMirroredRepeat = 8,
  kAddressing = 0xE,
  kLinear = 0x20
};

float from_half(std::uint16_t bits) {
  const llvm::APFloat half(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
  llvm::APFloat value = half;
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToFloat();
}

std::uint16_t to_half(float value) {
  llvm::APFloat half(value);
  bool inexact = false;
  half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return static_cast<std::uint16_t>(half.bitcastToAPInt().getZExtValue());
}

template <typename Value> Value load(const std::byte* from) {
  Value value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename Value> void store(std::byte* to, Value value) {
  std::memcpy(to, &value, sizeof value);
}

double channel(const std::byte* from, std::uint32_t type) {
  switch (type) {
  case kSnormInt8:
    return std::max(-1.0f, static_cast<float>(load<std::int8_t>(from)) / 127.0f);
  case kSnormInt16:
    return std::max(-1.0f, static_cast<float>(load<std::int16_t>(from)) / 32767.0f);
  case kUnormInt8:
    return static_cast<float>(load<std::uint8_t>(from)) / 255.0f;
  case kUnormInt16:
    return static_cast<float>(load<std::uint16_t>(from)) / 65535.0f;
  case kSignedInt8:
    return load<std::int8_t>(from);
  case kSignedInt16:
    return load<std::int16_t>(from);
  case kSignedInt32:
    return load<std::int32_t>(from);
  case kUnsignedInt8:
    return load<std::uint8_t>(from);
  case kUnsignedInt16:
    return load<std::uint16_t>(from);
  case kUnsignedInt32:
    return load<std::uint32_t>(from);
  case kHalfFloat:
    return static_cast<double>(from_half(load<std::uint16_t>(from)));
  default:
    return static_cast<double>(load<float>(from));
  }
}

// Rounded to the nearest even and saturated.
template <typename Value> Value integer(double value) {
  if (std::isnan(value))
    return 0;
  return static_cast<Value>(std::clamp(std::nearbyint(value),
                                       static_cast<double>(std::numeric_limits<Value>::min()),
                                       static_cast<double>(std::numeric_limits<Value>::max())));
}

void set_channel(std::byte* to, std::uint32_t type, double value) {
  const auto single = static_cast<float>(value);
  switch (type) {
  case kSnormInt8:
    return store(to, integer<std::int8_t>(static_cast<double>(single * 127.0f)));
  case kSnormInt16:
    return store(to, integer<std::int16_t>(static_cast<double>(single * 32767.0f)));
  case kUnormInt8:
    return store(to, integer<std::uint8_t>(static_cast<double>(single * 255.0f)));
  case kUnormInt16:
    return store(to, integer<std::uint16_t>(static_cast<double>(single * 65535.0f)));
  case kSignedInt8:
    return store(to, integer<std::int8_t>(value));
  case kSignedInt16:
    return store(to, integer<std::int16_t>(value));
  case kSignedInt32:
    return store(to, integer<std::int32_t>(value));
  case kUnsignedInt8:
    return store(to, integer<std::uint8_t>(value));
  case kUnsignedInt16:
    return store(to, integer<std::uint16_t>(value));
  case kUnsignedInt32:
    return store(to, integer<std::uint32_t>(value));
  case kHalfFloat:
    return store(to, to_half(single));
  default:
    return store(to, single);
  }
}

// Of channel i of the pixel in memory: the component of the colour.
const std::array<int, 4>& components(std::uint32_t order) {
  static constexpr std::array<int, 4> kStraight{0, 1, 2, 3}, kAlpha{3, 0, 0, 0},
      kRedAlpha{0, 3, 0, 0}, kBlueFirst{2, 1, 0, 3}, kAlphaFirst{3, 0, 1, 2};
  switch (order) {
  case kA:
    return kAlpha;
  case kRA:
    return kRedAlpha;
  case kBGRA:
    return kBlueFirst;
  case kARGB:
    return kAlphaFirst;
  default:
    return kStraight;
  }
}

bool has_alpha(std::uint32_t order) {
  return order != kR && order != kRG && order != kRGB && order != kLuminance;
}

std::byte* pixel(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z) {
  return image.pixels + static_cast<std::size_t>((z * image.height + y) * image.width + x) *
                            image.channels * image.channel_size;
}

bool inside(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z) {
  return x >= 0 && y >= 0 && z >= 0 && x < image.width && y < image.height && z < image.depth;
}

// The colour there; outside the border's.
Colour colour_at(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z) {
  Colour colour{0, 0, 0, has_alpha(image.channel_order) ? 0.0 : 1.0};
  if (!inside(image, x, y, z))
    return colour;
  const std::byte* const at = pixel(image, x, y, z);
  colour[3] = 1;
  const std::array<int, 4>& order = components(image.channel_order);
  for (unsigned i = 0; i < image.channels; ++i)
    colour[static_cast<unsigned>(order[i])] =
        channel(at + i * image.channel_size, image.channel_type);
  if (image.channel_order == kA)
    colour[0] = colour[1] = colour[2] = 0;
  if (image.channel_order == kIntensity)
    colour[1] = colour[2] = colour[3] = colour[0];
  if (image.channel_order == kLuminance)
    colour[1] = colour[2] = colour[0];
  return colour;
}

// One dimension of a sampled coordinate: the two pixels it is between and how far it is from the
// first; with the nearest filter the first alone.
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
      if (weight != 0) // infinities beside do not count
        sum[i] += static_cast<double>(weight) * colour[i];
  }
  return sum;
}

// Integer coordinates; a filter and what it needs do not apply.
Colour fetched(const Image& image, std::uint32_t sampler, Int4 at) {
  std::int64_t x = at[0], y = is_1d(image) ? 0 : at[1],
               z = image.type == kImage3D || image.type == kImage2DArray ? at[2]
                   : image.type == kImage1DArray                         ? at[1]
                                                                         : 0;
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
  const std::int64_t y = is_1d(image) ? 0 : at[1];
  const std::int64_t z = image.type == kImage3D || image.type == kImage2DArray ? at[2]
                         : image.type == kImage1DArray                         ? at[1]
                                                                               : 0;
  if (!inside(image, at[0], y, z))
    return; // undefined; nothing is what devices do
  std::byte* const to = pixel(image, at[0], y, z);
  const std::array<int, 4>& order = components(image.channel_order);
  for (unsigned i = 0; i < image.channels; ++i)
    set_channel(to + i * image.channel_size, image.channel_type,
                colour[static_cast<unsigned>(order[i])]);
}

extern "C" {
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
  const bool is_unsigned =
      image->channel_type >= kUnsignedInt8 && image->channel_type <= kUnsignedInt32;
  Colour wide{};
  for (int i = 0; i < 4; ++i)
    wide[static_cast<unsigned>(i)] =
        is_unsigned ? static_cast<double>(static_cast<std::uint32_t>(colour[i]))
                    : static_cast<double>(colour[i]);
  write(*image, at, wide);
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
  switch (image.channel_order) {
  case kR:
  case kA:
  case kIntensity:
  case kLuminance:
    image.channels = 1;
    break;
  case kRG:
  case kRA:
    image.channels = 2;
    break;
  case kRGB:
    image.channels = 3;
    break;
  case kRGBA:
  case kBGRA:
  case kARGB:
    image.channels = 4;
    break;
  default:
    throw InputError(
        fmt::format("image '{}': channel order {:#x} is not supported", name, image.channel_order));
  }
  switch (image.channel_type) {
  case kSnormInt8:
  case kUnormInt8:
  case kSignedInt8:
  case kUnsignedInt8:
    image.channel_size = 1;
    break;
  case kSnormInt16:
  case kUnormInt16:
  case kSignedInt16:
  case kUnsignedInt16:
  case kHalfFloat:
    image.channel_size = 2;
    break;
  case kSignedInt32:
  case kUnsignedInt32:
  case kFloat:
    image.channel_size = 4;
    break;
  default:
    throw InputError(
        fmt::format("image '{}': channel type {:#x} is not supported", name, image.channel_type));
  }
  const std::size_t needed =
      std::size_t{image.width} * image.height * image.depth * image.channels * image.channel_size;
  if (needed != bytes)
    throw InputError(
        fmt::format("image '{}' needs {} bytes, and {} are given", name, needed, bytes));
}

std::uint32_t sampler_bits(bool normalized, std::uint32_t addressing, std::uint32_t filter) {
  // CL_ADDRESS_NONE is 0x1130, and the others follow in the order of Clang's; CL_FILTER_LINEAR is
  // 0x1141.
  return (normalized ? kNormalized : 0u) | ((addressing - 0x1130) << 1) |
         (filter == 0x1141 ? kLinear : 0x10u);
}

std::vector<NativeSymbol> image_symbols() {
  return {{"gputest_read_imagef", reinterpret_cast<void*>(&gputest_read_imagef)},
          {"gputest_read_imagei", reinterpret_cast<void*>(&gputest_read_imagei)},
          {"gputest_fetch_imagef", reinterpret_cast<void*>(&gputest_fetch_imagef)},
          {"gputest_fetch_imagei", reinterpret_cast<void*>(&gputest_fetch_imagei)},
          {"gputest_write_imagef", reinterpret_cast<void*>(&gputest_write_imagef)},
          {"gputest_write_imagei", reinterpret_cast<void*>(&gputest_write_imagei)},
          {"gputest_image_number", reinterpret_cast<void*>(&gputest_image_number)}};
}

} // namespace gputest::simulator
