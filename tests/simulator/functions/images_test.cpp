// Reads and writes of images: what they find, and kinds of images beside the usual ones.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;

TEST_CASE("Reads whose sampler makes the value undefined are found") {
  const auto findings = [](const std::string& sampler, const std::string& read) {
    Given image = buffer(std::vector<unsigned char>(16));
    image.kind = Parameter::Kind::Image;
    image.image = {.pixels = nullptr,
                   .type = 0x10F1, // 2D
                   .width = 4,
                   .height = 4,
                   .channel_order = 0x10B0, // R
                   .channel_type = 0x10DA}; // UNSIGNED_INT8
    return run({.text = "constant sampler_t s = " + sampler + ";\n" +
                        "kernel void k(read_only image2d_t image, global float* out) {\n" +
                        "out[0] = " + read + ".x;\n}\n",
                .arguments = {image, buffer(std::vector<float>(1))},
                .checks = {"bounds"}})
        .findings();
  };
  const std::string plain = "CLK_NORMALIZED_COORDS_FALSE | ",
                    normal = "CLK_NORMALIZED_COORDS_TRUE | ", edge = "CLK_ADDRESS_CLAMP_TO_EDGE | ",
                    repeat = "CLK_ADDRESS_REPEAT | ", nearest = "CLK_FILTER_NEAREST",
                    linear = "CLK_FILTER_LINEAR";
  const std::string found = "undefined_read 3\n", at_float = "(image, s, (float2)(0.5f))",
                    at_int = "(image, s, (int2)(1))";
  for (const char* name : {"read_imageui", "read_imagei"}) {
    CHECK(findings(plain + edge + linear, name + at_float) == found);
    CHECK(findings(plain + edge + nearest, name + at_float) == "");
    CHECK(findings(normal + repeat + nearest, name + at_float) == "");
  }
  for (const char* name : {"read_imageui", "read_imagei", "read_imagef"}) {
    CHECK(findings(plain + repeat + nearest, name + at_float) == found);
    CHECK(findings(normal + edge + nearest, name + at_int) == found);
    CHECK(findings(plain + edge + linear, name + at_int) == found);
    CHECK(findings(plain + edge + nearest, name + at_int) == "");
  }
  CHECK(findings(plain + edge + linear, "read_imagef" + at_float) == "");
  CHECK(findings(normal + repeat + linear, "read_imagef" + at_float) == "");
}

TEST_CASE("Pixels outside of an image are found where nothing says what is there") {
  const auto findings = [](const std::string& access, const std::string& statement) {
    Given image = buffer(std::vector<float>(16));
    image.kind = Parameter::Kind::Image;
    image.image = {.pixels = nullptr,
                   .type = 0x10F1, // 2D
                   .width = 4,
                   .height = 4,
                   .channel_order = 0x10B0, // R
                   .channel_type = 0x10DE}; // FLOAT
    return run({.text =
                    "#define SAMPLER(a, n) CLK_ADDRESS_##a | CLK_FILTER_NEAREST | "
                    "CLK_NORMALIZED_COORDS_##n\n"
                    "constant sampler_t none = SAMPLER(NONE, FALSE), share = SAMPLER(NONE, TRUE), "
                    "zero = SAMPLER(CLAMP, FALSE);\n"
                    "kernel void k(" +
                    access + " image2d_t image, global float* out) {\n" + statement + ";\n}\n",
                .arguments = {image, buffer(std::vector<float>(1))},
                .checks = {"bounds"}})
        .findings();
  };
  const auto read = [&](const std::string& at) {
    return findings("read_only", "out[0] = read_imagef(image, " + at + ").x");
  };
  const std::string found = "out_of_bounds 4\n";
  for (const char* at :
       {"(int2)(4, 0)", "(int2)(0, -1)", "none, (int2)(0, 4)", "none, (float2)(4.0f, 0.5f)",
        "none, (float2)(0.5f, -0.1f)", "share, (float2)(0.5f, 1.0f)", "none, (float2)(NAN, 0)"})
    CHECK(read(at) == found);
  for (const char* at :
       {"(int2)(3, 0)", "none, (int2)(0, 3)", "none, (float2)(3.9f, 0.0f)",
        "share, (float2)(0.5f, 0.99f)", "zero, (int2)(-1, 9)", "zero, (float2)(-1, 9)"})
    CHECK(read(at) == "");
  CHECK(findings("write_only", "write_imagef(image, (int2)(0, 4), 1)") == found);
  CHECK(findings("write_only", "write_imagef(image, (int2)(0, 3), 1)") == "");
}

TEST_CASE("Depth images hold one number, and images have one level of detail") {
  Given image = buffer(std::vector<float>{0, 1, 2, 3, 4, 5});
  image.kind = Parameter::Kind::Image;
  image.image = {.pixels = nullptr,
                 .type = 0x10F1, // 2D
                 .width = 3,
                 .height = 2,
                 .channel_order = 0x10BD, // DEPTH
                 .channel_type = 0x10DE}; // FLOAT
  const Ran ran =
      run({.text = "constant sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
                   "kernel void k(read_only image2d_depth_t image, global float* out) {\n"
                   "out[0] = read_imagef(image, (int2)(1, 1));\n"
                   "out[1] = read_imagef(image, s, (float2)(1, 0.5f));\n"
                   "out[2] = read_imagef(image, s, (float2)(1, 0.5f), 3.0f);\n"
                   "out[3] = read_imagef(image, s, (float2)(9), (float2)(1), (float2)(1));\n"
                   "out[4] = get_image_dim(image).y;\n"
                   "out[5] = get_image_num_mip_levels(image);\n}\n",
           .arguments = {image, buffer(std::vector<float>(6))},
           .cl_std = "CL2.0"});
  CHECK(ran.findings() == "");
  CHECK(ran.values<float>(1) == std::vector<float>{4, 0.5f, 0.5f, 0, 2, 1});
}
