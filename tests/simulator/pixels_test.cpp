// Channel orders and types: what lies in memory, and what comes back.
#include "tests/catch.h"

#include "simulator/memory/pixels.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace gputest::simulator;

namespace {

constexpr std::uint32_t kSnorm8 = 0x10D0, kUnorm8 = 0x10D2, kUnorm16 = 0x10D3, kInt8 = 0x10D7,
                        kInt32 = 0x10D9, kUint16 = 0x10DB, kUint32 = 0x10DC, kHalf = 0x10DD,
                        kFloat = 0x10DE;
constexpr std::uint32_t k565 = 0x10D4, k555 = 0x10D5, k101010 = 0x10D6;
constexpr std::uint32_t kFirstOrder = 0x10B0, kRgb = 0x10B4, kRgba = 0x10B5, kRx = 0x10BA,
                        kDepth = 0x10BD, kSrgba = 0x10C1, kAbgr = 0x10C3;

template <typename Value>
std::vector<Value> written(std::uint32_t order, std::uint32_t type, const Colour& colour) {
  std::vector<std::byte> bytes(16, std::byte{0xEE});
  write_pixel(bytes.data(), *channel_order(order), *channel_type(type), colour);
  const std::size_t size = channel_order(order)->channels * channel_type(type)->size;
  for (std::size_t i = size; i < bytes.size(); ++i)
    CHECK(bytes[i] == std::byte{0xEE}); // no further than the pixel
  std::vector<Value> values(size / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), size);
  return values;
}

} // namespace

TEST_CASE("Channel orders, as OpenCL numbers them from CL_R to CL_LUMINANCE") {
  const Colour colour{1, 2, 3, 4};
  struct Case {
    std::vector<float> memory;
    Colour back, border;
  };
  const std::vector<Case> cases{
      {{1}, {1, 0, 0, 1}, {0, 0, 0, 1}},          {{4}, {0, 0, 0, 4}, {0, 0, 0, 0}},
      {{1, 2}, {1, 2, 0, 1}, {0, 0, 0, 1}},       {{1, 4}, {1, 0, 0, 4}, {0, 0, 0, 0}},
      {{1, 2, 3}, {1, 2, 3, 1}, {0, 0, 0, 1}},    {{1, 2, 3, 4}, {1, 2, 3, 4}, {0, 0, 0, 0}},
      {{3, 2, 1, 4}, {1, 2, 3, 4}, {0, 0, 0, 0}}, {{4, 1, 2, 3}, {1, 2, 3, 4}, {0, 0, 0, 0}},
      {{1}, {1, 1, 1, 1}, {0, 0, 0, 0}},          {{1}, {1, 1, 1, 1}, {0, 0, 0, 1}}};
  for (std::uint32_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i);
    const std::uint32_t order = kFirstOrder + i;
    CHECK(written<float>(order, kFloat, colour) == cases[i].memory);
    CHECK(read_pixel(reinterpret_cast<const std::byte*>(cases[i].memory.data()),
                     *channel_order(order), *channel_type(kFloat)) == cases[i].back);
    CHECK(channel_order(order)->border() == cases[i].border);
  }
  CHECK_FALSE(channel_order(kFirstOrder - 1));
  for (const std::uint32_t order : {0x10BEu, 0x10BFu, 0x10C0u, 0x10C4u})
    CHECK_FALSE(channel_order(order)); // CL_DEPTH_STENCIL, and none
  CHECK(channel_order(kRx)->border() == Colour{0, 0, 0, 0});
  CHECK(channel_order(kDepth)->border() == Colour{0, 0, 0, 1});
  CHECK(written<float>(kAbgr, kFloat, colour) == std::vector<float>{4, 3, 2, 1});
}

TEST_CASE("Channel types round to the nearest even and saturate") {
  CHECK(written<std::uint8_t>(kRgba, kUnorm8, {0.5, 1.5, -1, 0.1}) ==
        std::vector<std::uint8_t>{128, 255, 0, 26}); // 127.5 is rounded to 128
  CHECK(written<std::int8_t>(kRgba, kSnorm8, {-1, 1, -2, 0.5}) ==
        std::vector<std::int8_t>{-127, 127, -128, 64});
  CHECK(written<std::uint16_t>(kRgba, kUnorm16, {1, 0, 2, 0.25}) ==
        std::vector<std::uint16_t>{65535, 0, 65535, 16384});
  CHECK(written<std::int8_t>(kRgba, kInt8, {-200, 200, 5, std::nan("")}) ==
        std::vector<std::int8_t>{-128, 127, 5, 0});
  CHECK(written<std::int32_t>(kRgba, kInt32, {-2147483648.0, 2147483647, 1e12, 16777217}) ==
        std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(), 2147483647, 2147483647,
                                  16777217});
  CHECK(written<std::uint32_t>(kRgba, kUint32, {4294967295.0, -1, 7, 1e10}) ==
        std::vector<std::uint32_t>{4294967295u, 0, 7, 4294967295u});
  CHECK(written<std::uint16_t>(kRgba, kHalf, {1, -2, 65504, 1e9}) ==
        std::vector<std::uint16_t>{0x3C00, 0xC000, 0x7BFF, 0x7C00});
  CHECK(channel_type(kUint16)->is_unsigned);
  CHECK_FALSE(channel_type(kUnorm16)->is_unsigned);
  for (const std::uint32_t none : {0x10CFu, 0x10DFu})
    CHECK_FALSE(channel_type(none));
}

TEST_CASE("Packed pixels have their first component in the highest bits") {
  struct Case {
    std::uint32_t type, memory;
    Colour written;
  };
  for (const Case& each : {Case{k565, 0xF81F, {1, 0, 1, 9}}, Case{k565, 0x07E0, {-1, 1, 0, 0}},
                           Case{k555, 0x7C1F, {1, 0, 2, 0}}, Case{k555, 0x03E0, {0, 1, 0, 0}},
                           Case{k101010, 0x3FF003FF, {1, 0, 1, 0}},
                           Case{k101010, 0x000FFC00, {std::nan(""), 1, 0, 0}}}) {
    std::vector<std::byte> bytes(4, std::byte{0});
    const ChannelOrder& order = *channel_order(kRgb);
    const ChannelType& type = *channel_type(each.type);
    write_pixel(bytes.data(), order, type, each.written);
    std::uint32_t memory = 0;
    std::memcpy(&memory, bytes.data(), sizeof memory);
    CHECK(memory == each.memory);
    CHECK(pixel_size(order, type) == (each.type == k101010 ? 4 : 2));
    for (const double value : read_pixel(bytes.data(), order, type))
      CHECK((value == 0 || value == 1));
    CHECK(refused(*channel_order(kRgba), type).has_value());
  }
  // Each number of a component is read as its share of the largest, and written back as it was.
  for (std::uint32_t number = 0; number < 1024; ++number) {
    std::vector<std::byte> bytes(4);
    const std::uint32_t memory = number << 20 | (1023 - number) << 10 | number;
    std::memcpy(bytes.data(), &memory, sizeof memory);
    const Colour colour = read_pixel(bytes.data(), *channel_order(kRgb), *channel_type(k101010));
    CHECK(colour[0] == static_cast<double>(static_cast<float>(number) / 1023.0f));
    std::vector<std::byte> again(4);
    write_pixel(again.data(), *channel_order(kRgb), *channel_type(k101010), colour);
    CHECK(again == bytes);
  }
}

TEST_CASE("sRGB is linear in kernels, and alpha is so in memory") {
  for (unsigned number = 0; number < 256; ++number) {
    std::vector<std::byte> bytes(4, static_cast<std::byte>(number));
    const ChannelOrder& order = *channel_order(kSrgba);
    const Colour colour = read_pixel(bytes.data(), order, *channel_type(kUnorm8));
    const double share = number / 255.0;
    const double expected =
        share <= 0.04045 ? share / 12.92 : std::exp(2.4 * std::log((share + 0.055) / 1.055));
    CHECK(std::abs(colour[1] - expected) < 1e-6);
    CHECK(std::abs(colour[3] - share) < 1e-7);
    CHECK(written<std::uint8_t>(kSrgba, kUnorm8, colour) ==
          std::vector<std::uint8_t>(4, static_cast<std::uint8_t>(number)));
  }
  CHECK(refused(*channel_order(kSrgba), *channel_type(kFloat)).has_value());
}

TEST_CASE("What a channel holds comes back") {
  const auto round_trip = [](std::uint32_t type, double value) {
    std::byte bytes[4]{};
    channel_type(type)->write(bytes, value);
    return channel_type(type)->read(bytes);
  };
  for (int i = 0; i < 256; ++i) {
    CHECK(round_trip(kUnorm8, static_cast<double>(static_cast<float>(i) / 255.0f)) ==
          static_cast<double>(static_cast<float>(i) / 255.0f));
    CHECK(round_trip(kInt8, i - 128) == i - 128);
  }
  CHECK(round_trip(kSnorm8, -128.0) == -1); // both -128 and -127 are -1
  CHECK(round_trip(kHalf, 0.333251953125) == 0.333251953125);
  CHECK(round_trip(kFloat, 0.25) == 0.25);
}
