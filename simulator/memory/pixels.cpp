// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/memory/pixels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <llvm/ADT/APFloat.h>

namespace gputest::simulator {
namespace {

template <typename Value> Value load(const std::byte* from) {
  Value value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename Value> void store(std::byte* to, Value value) {
  std::memcpy(to, &value, sizeof value);
}

template <typename Value> double read_integer(const std::byte* from) {
  return load<Value>(from);
}

template <typename Value> void write_integer(std::byte* to, double value) {
  using Limits = std::numeric_limits<Value>;
  const double rounded = std::clamp(std::nearbyint(value), static_cast<double>(Limits::min()),
                                    static_cast<double>(Limits::max()));
  store(to, std::isnan(value) ? Value{0} : static_cast<Value>(rounded));
}

// Fractions of 1, computed as floats.
template <typename Value> double read_fraction(const std::byte* from) {
  const float most = std::numeric_limits<Value>::max();
  return std::max(-1.0f, static_cast<float>(load<Value>(from)) / most);
}

template <typename Value> void write_fraction(std::byte* to, double value) {
  const float most = std::numeric_limits<Value>::max();
  write_integer<Value>(to, static_cast<double>(static_cast<float>(value) * most));
}

double read_half(const std::byte* from) {
  llvm::APFloat value(llvm::APFloat::IEEEhalf(), llvm::APInt(16, load<std::uint16_t>(from)));
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return static_cast<double>(value.convertToFloat());
}

void write_half(std::byte* to, double value) {
  llvm::APFloat half(static_cast<float>(value));
  bool inexact = false;
  half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  store(to, static_cast<std::uint16_t>(half.bitcastToAPInt().getZExtValue()));
}

double read_float(const std::byte* from) {
  return static_cast<double>(load<float>(from));
}

void write_float(std::byte* to, double value) {
  store(to, static_cast<float>(value));
}

template <typename Value> constexpr ChannelType fraction() {
  return {sizeof(Value), read_fraction<Value>, write_fraction<Value>, false};
}
template <typename Value> constexpr ChannelType integer() {
  return {sizeof(Value), read_integer<Value>, write_integer<Value>, std::is_unsigned_v<Value>};
}
template <typename Value> constexpr ChannelType packed(std::array<unsigned, 3> bits) {
  return {sizeof(Value), nullptr, nullptr, false, bits};
}

constexpr std::uint32_t kFirstType = 0x10D0, kFirstOrder = 0x10B0; // CL_SNORM_INT8, CL_R
constexpr std::array kTypes{
    fraction<std::int8_t>(),
    fraction<std::int16_t>(),
    fraction<std::uint8_t>(),
    fraction<std::uint16_t>(),
    packed<std::uint16_t>({5, 6, 5}),    // CL_UNORM_SHORT_565
    packed<std::uint16_t>({5, 5, 5}),    // CL_UNORM_SHORT_555
    packed<std::uint32_t>({10, 10, 10}), // CL_UNORM_INT_101010
    integer<std::int8_t>(),
    integer<std::int16_t>(),
    integer<std::int32_t>(),
    integer<std::uint8_t>(),
    integer<std::uint16_t>(),
    integer<std::uint32_t>(),
    ChannelType{2, read_half, write_half, false},
    ChannelType{4, read_float, write_float, false}, // CL_FLOAT
};

constexpr int kZero = ChannelOrder::kZero, kOne = ChannelOrder::kOne;
constexpr std::array kOrders{
    ChannelOrder{1, {0, kZero, kZero, kOne}},       // CL_R
    ChannelOrder{1, {kZero, kZero, kZero, 0}},      // CL_A
    ChannelOrder{2, {0, 1, kZero, kOne}},           // CL_RG
    ChannelOrder{2, {0, kZero, kZero, 1}},          // CL_RA
    ChannelOrder{3, {0, 1, 2, kOne}},               // CL_RGB
    ChannelOrder{4, {0, 1, 2, 3}},                  // CL_RGBA
    ChannelOrder{4, {2, 1, 0, 3}},                  // CL_BGRA
    ChannelOrder{4, {1, 2, 3, 0}},                  // CL_ARGB
    ChannelOrder{1, {0, 0, 0, 0}},                  // CL_INTENSITY
    ChannelOrder{1, {0, 0, 0, kOne}},               // CL_LUMINANCE
    ChannelOrder{1, {0, kZero, kZero, kOne}, true}, // CL_Rx
    ChannelOrder{2, {0, 1, kZero, kOne}, true},     // CL_RGx
    ChannelOrder{3, {0, 1, 2, kOne}, true},         // CL_RGBx
    ChannelOrder{1, {0, kZero, kZero, kOne}},       // CL_DEPTH
    ChannelOrder{},                                 // CL_DEPTH_STENCIL
    ChannelOrder{},                                 // CL_sRGB
    ChannelOrder{},                                 // CL_sRGBx
    ChannelOrder{4, {0, 1, 2, 3}, false, true},     // CL_sRGBA
    ChannelOrder{4, {2, 1, 0, 3}, false, true},     // CL_sBGRA
    ChannelOrder{4, {3, 2, 1, 0}},                  // CL_ABGR
};

// OpenCL 2.0, 8.3.1.
double linear_of_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
double srgb_of_linear(double value) {
  if (!(value > 0)) // negative, or no number
    return 0;
  if (value >= 1)
    return 1;
  return value < 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

std::uint32_t load_packed(const std::byte* from, std::uint32_t size) {
  return size == 2 ? load<std::uint16_t>(from) : load<std::uint32_t>(from);
}

Colour read_packed(const std::byte* from, const ChannelType& type) {
  std::uint32_t word = load_packed(from, type.size);
  Colour colour{0, 0, 0, 1};
  for (unsigned i = 3; i-- > 0;) {
    const std::uint32_t most = (1u << type.bits[i]) - 1;
    colour[i] = static_cast<double>(static_cast<float>(word & most) / static_cast<float>(most));
    word >>= type.bits[i];
  }
  return colour;
}

// Bits that belong to no component are 0.
void write_packed(std::byte* to, const ChannelType& type, const Colour& colour) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const auto most = static_cast<float>((1u << type.bits[i]) - 1);
    const double scaled = static_cast<double>(static_cast<float>(colour[i]) * most);
    const double rounded = std::clamp(std::nearbyint(scaled), 0.0, static_cast<double>(most));
    word = word << type.bits[i] | (std::isnan(scaled) ? 0u : static_cast<std::uint32_t>(rounded));
  }
  if (type.size == 2)
    store(to, static_cast<std::uint16_t>(word));
  else
    store(to, word);
}

} // namespace

const ChannelType* channel_type(std::uint32_t number) {
  const std::uint32_t index = number - kFirstType;
  return index < kTypes.size() ? &kTypes[index] : nullptr;
}

const ChannelOrder* channel_order(std::uint32_t number) {
  const std::uint32_t index = number - kFirstOrder;
  return index < kOrders.size() && kOrders[index].channels != 0 ? &kOrders[index] : nullptr;
}

std::optional<std::string_view> refused(const ChannelOrder& order, const ChannelType& type) {
  if (type.packed() && order.channels != 3)
    return "packed channels are for the orders RGB and RGBx";
  if (order.channels == 3 && order.transparent_border && !type.packed())
    return "the order RGBx is for packed channels";
  if (order.srgb && type.read != read_fraction<std::uint8_t>)
    return "the orders sRGBA and sBGRA are for channels of unorm_int8";
  return std::nullopt;
}

std::size_t pixel_size(const ChannelOrder& order, const ChannelType& type) {
  return type.packed() ? type.size : std::size_t{order.channels} * type.size;
}

Colour read_pixel(const std::byte* from, const ChannelOrder& order, const ChannelType& type) {
  if (type.packed())
    return read_packed(from, type);
  Colour colour{};
  for (unsigned i = 0; i < colour.size(); ++i) {
    const int channel = order.channel_of[i];
    colour[i] = channel == kZero  ? 0
                : channel == kOne ? 1
                                  : type.read(from + static_cast<std::size_t>(channel) * type.size);
    if (order.srgb && i < 3)
      colour[i] = linear_of_srgb(colour[i]);
  }
  return colour;
}

void write_pixel(std::byte* to, const ChannelOrder& order, const ChannelType& type,
                 const Colour& colour) {
  if (type.packed())
    return write_packed(to, type, colour);
  for (std::uint32_t channel = 0; channel < order.channels; ++channel) {
    const auto component =
        std::ranges::find(order.channel_of, static_cast<int>(channel)) - order.channel_of.begin();
    const double value = colour[static_cast<std::size_t>(component)];
    type.write(to + std::size_t{channel} * type.size,
               order.srgb && component < 3 ? srgb_of_linear(value) : value);
  }
}

} // namespace gputest::simulator
