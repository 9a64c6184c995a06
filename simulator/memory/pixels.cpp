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
constexpr ChannelType kPacked{}; // CL_UNORM_SHORT_565, …_555, CL_UNORM_INT_101010

constexpr std::uint32_t kFirstType = 0x10D0, kFirstOrder = 0x10B0; // CL_SNORM_INT8, CL_R
constexpr std::array kTypes{
    fraction<std::int8_t>(),
    fraction<std::int16_t>(),
    fraction<std::uint8_t>(),
    fraction<std::uint16_t>(),
    kPacked,
    kPacked,
    kPacked,
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
    ChannelOrder{1, {0, kZero, kZero, kOne}},  // CL_R
    ChannelOrder{1, {kZero, kZero, kZero, 0}}, // CL_A
    ChannelOrder{2, {0, 1, kZero, kOne}},      // CL_RG
    ChannelOrder{2, {0, kZero, kZero, 1}},     // CL_RA
    ChannelOrder{3, {0, 1, 2, kOne}},          // CL_RGB
    ChannelOrder{4, {0, 1, 2, 3}},             // CL_RGBA
    ChannelOrder{4, {2, 1, 0, 3}},             // CL_BGRA
    ChannelOrder{4, {1, 2, 3, 0}},             // CL_ARGB
    ChannelOrder{1, {0, 0, 0, 0}},             // CL_INTENSITY
    ChannelOrder{1, {0, 0, 0, kOne}},          // CL_LUMINANCE
};

} // namespace

const ChannelType* channel_type(std::uint32_t number) {
  const std::uint32_t index = number - kFirstType;
  return index < kTypes.size() && kTypes[index].size != 0 ? &kTypes[index] : nullptr;
}

const ChannelOrder* channel_order(std::uint32_t number) {
  const std::uint32_t index = number - kFirstOrder;
  return index < kOrders.size() ? &kOrders[index] : nullptr;
}

Colour read_pixel(const std::byte* from, const ChannelOrder& order, const ChannelType& type) {
  Colour colour{};
  for (unsigned i = 0; i < colour.size(); ++i) {
    const int channel = order.channel_of[i];
    colour[i] = channel == kZero  ? 0
                : channel == kOne ? 1
                                  : type.read(from + static_cast<std::size_t>(channel) * type.size);
  }
  return colour;
}

void write_pixel(std::byte* to, const ChannelOrder& order, const ChannelType& type,
                 const Colour& colour) {
  for (std::uint32_t channel = 0; channel < order.channels; ++channel) {
    const auto component =
        std::ranges::find(order.channel_of, static_cast<int>(channel)) - order.channel_of.begin();
    type.write(to + std::size_t{channel} * type.size, colour[static_cast<std::size_t>(component)]);
  }
}

} // namespace gputest::simulator
