#include "runtime/cases/image_layout.h"

#include "tests/catch.h"

using namespace gputest;
using namespace gputest::runtime;

TEST_CASE("an image in the words of test cases is the same image") {
  const std::vector<std::pair<std::string, std::vector<std::size_t>>> kinds{
      {"image1d_t", {7}},    {"image1d_buffer_t", {7}},      {"image1d_array_t", {7, 3}},
      {"image2d_t", {7, 5}}, {"image2d_array_t", {7, 5, 3}}, {"image3d_t", {7, 5, 3}}};
  for (const auto& [kind, shape] : kinds)
    for (const char* order :
         {"R", "A", "INTENSITY", "LUMINANCE", "RG", "RA", "RGBA", "BGRA", "ARGB"})
      for (const char* type :
           {"float", "half_float", "snorm_int8", "unorm_int16", "signed_int32"}) {
        const ImageLayout layout = image_layout(kind, shape, order, type, "image");
        const ImageWords words = words_of(layout);
        CHECK(words.shape == shape);
        CHECK(words.channel_order == order);
        CHECK(words.channel_type == type);
        const ImageLayout again = image_layout(layout.type, layout.format, layout.width,
                                               layout.height, layout.depth, "image");
        CHECK(again.pixel_type() == layout.pixel_type());
        CHECK(words_of(again).shape == shape);
        const auto region = region_of(layout);
        CHECK(region[0] * region[1] * region[2] == layout.pixels());
      }
}

TEST_CASE("a sampler in the words of test cases is the same sampler") {
  for (const char* addressing : {"none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"})
    for (const char* filter : {"nearest", "linear"}) {
      const SamplerWords words = words_of(sampler_settings(addressing, filter, true, "sampler"));
      CHECK(words.addressing_mode == addressing);
      CHECK(words.filter_mode == filter);
    }
  CHECK(words_of(SamplerView{.addressing_mode = 1}).addressing_mode.empty());
}
