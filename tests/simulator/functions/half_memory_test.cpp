// Numbers of 16 bits in images and in atomic operations.
#include "tests/catch.h"
#include "tests/simulator/functions/half.h"
#include "tests/simulator/simulated.h"

#include <fmt/format.h>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

using Halves = std::vector<std::uint16_t>;
const std::string kHalfPragma = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";

// The image has one channel, of this type.
template <typename Value>
Given image_of_channel(const std::vector<Value>& pixels, std::uint32_t width,
                       std::uint32_t channel_type) {
  Given image = buffer(pixels);
  image.kind = Parameter::Kind::Image;
  image.image = {.pixels = nullptr,
                 .type = 0x10F1, // 2D
                 .width = width,
                 .height = static_cast<std::uint32_t>(pixels.size()) / width,
                 .channel_order = 0x10B0, // R
                 .channel_type = channel_type};
  return image;
}

constexpr std::uint32_t kFloatPixels = 0x10DE, kHalfPixels = 0x10DD, kUnorm8Pixels = 0x10D2;

} // namespace

TEST_CASE("read_imageh and write_imageh convert as read_imagef and write_imagef, and round once") {
  const std::vector<float> pixels{1, -0.5F, 2049, 65520, 1e-8F, 0.1F};
  const std::string read =
      "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
      "CLK_FILTER_NEAREST;\n"
      "kernel void k(read_only image2d_t from, write_only image2d_t to, global half* out) {\n"
      "const int i = get_global_id(0);\nconst int2 at = (int2)(i % 3, i / 3);\n";
  for (const char* call : {"read_imageh(from, at)", "read_imageh(from, s, at)",
                           "read_imageh(from, s, convert_float2(at) + 0.5f)"}) {
    const Ran ran = run({.text = kHalfPragma + read + "const half4 h = " + call +
                                 ";\nwrite_imageh(to, at, h);\nout[i] = h.x + h.y + h.w - 1;\n}\n",
                         .global_size = pixels.size(),
                         .local_size = 1,
                         .arguments = {image_of_channel(pixels, 3, kFloatPixels),
                                       image_of_channel(Halves(pixels.size()), 3, kHalfPixels),
                                       buffer(Halves(pixels.size()))},
                         .checks = {"races", "bounds"},
                         .cl_std = "CL3.0"});
    CHECK(ran.findings() == "");
    const Halves written = ran.values<std::uint16_t>(1), returned = ran.values<std::uint16_t>(2);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      INFO(call << " of " << pixels[i]);
      CHECK(written[i] == half_of(double{pixels[i]}, "_rte"));
      if (pixels[i] == 1 || pixels[i] == -0.5F)
        CHECK(returned[i] == written[i]);
    }
  }
  const std::vector<unsigned char> bytes{0, 255, 51};
  const Ran ran =
      run({.text = kHalfPragma + read + "out[i] = read_imageh(from, at).x;\n}\n",
           .global_size = 3,
           .local_size = 1,
           .arguments = {image_of_channel(bytes, 3, kUnorm8Pixels),
                         image_of_channel(Halves(3), 3, kHalfPixels), buffer(Halves(3))}});
  CHECK(ran.values<std::uint16_t>(2) ==
        Halves{0, half_of(1.0, "_rte"), half_of(double{0.2F}, "_rte")});
}

TEST_CASE("Atomic operations on half give the old value and round the new one") {
  struct HalfUpdate {
    const char* call;
    double after;
  };
  const HalfUpdate operations[] = {
      {"atomic_fetch_add_explicit(a, 0.25h, R)", 1.75},
      {"atomic_fetch_sub_explicit(a, 2.0h, R)", -0.5},
      {"atomic_fetch_min_explicit(a, -3.0h, R)", -3},
      {"atomic_fetch_max_explicit(a, 7.0h, R)", 7},
      {"atomic_exchange_explicit(a, 5.0h, R)", 5},
      {"atomic_load_explicit(a, R)", 1.5},
      {"atomic_fetch_add_explicit(a, 2048.0h, R, memory_scope_device)", 2050}};
  for (const auto& [call, after] : operations)
    for (const char* space : {"global", "local"}) {
      const std::string text = fmt::format(
          "{}#define R memory_order_relaxed\nkernel void k(global atomic_half* g, global half* "
          "out) {{\n"
          "local atomic_half l;\n{} atomic_half* a = {};\natomic_store_explicit(a, 1.5h, R);\n"
          "out[0] = {};\nout[1] = atomic_load_explicit(a, R);\n}}\n",
          kHalfPragma, space, *space == 'g' ? "g" : "&l", call);
      INFO(text);
      const Ran ran = run({.text = text,
                           .arguments = {buffer(Halves(1)), buffer(Halves(2))},
                           .checks = {"races", "bounds", "uninitialized"},
                           .cl_std = "CL3.0"});
      CHECK(ran.findings() == "");
      CHECK(ran.values<std::uint16_t>(1) == Halves{half_of(1.5, "_rte"), half_of(after, "_rte")});
    }
}

TEST_CASE("Sums of half by atomic operations do not race, and plain ones do") {
  const auto sum = [](const std::string& add) {
    return run({.text = kHalfPragma + "kernel void k(global atomic_half* sum) {\n" + add + "\n}\n",
                .global_size = 64,
                .local_size = 8,
                .arguments = {buffer(Halves(1))},
                .checks = {"races"},
                .cl_std = "CL3.0"});
  };
  const Ran atomic =
      sum("atomic_fetch_add_explicit(sum, 1.0h, memory_order_relaxed, memory_scope_device);");
  CHECK(atomic.findings() == "");
  CHECK(atomic.values<std::uint16_t>(0) == Halves{half_of(64.0, "_rte")});
  CHECK(sum("*(global half*)sum += 1.0h;").findings().starts_with("race "));
  CHECK(sum("atomic_fetch_add_explicit(sum, 1.0h, memory_order_relaxed, memory_scope_work_group);")
            .findings()
            .starts_with("race "));
}
