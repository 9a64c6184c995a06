// What docs/reference/test-cases.md says of images and samplers in a case.
#include "tests/runtime/documented_project.h"

using namespace gputest;
using namespace gputest::tests;

TEST_CASE("each channel order and type makes an image, or the device says that it has none",
          "[needs][needs-device]") {
  require_device();
  const std::string text =
      between(document("reference/test-cases.md"), "`channel_order` (", "a pixel is a number");
  const std::set<std::string> words = code_in(text);
  std::set<std::string> orders, types;
  for (const std::string& word : words)
    if (word == "float" || (contains(word, "_") && !word.starts_with("channel_")))
      types.insert(word);
    else if (!contains(word, "_") && word != "DEPTH") // which only depth images have
      orders.insert(word);
  CHECK(orders.size() == 16);
  CHECK(types.size() == 15);
  // Several channels in one number; only orders of three channels have these types.
  const auto is_packed = [](const std::string& type) {
    return type.starts_with("unorm_short_") || type.starts_with("unorm_int_");
  };
  Described project("kernel void k(read_only image2d_t picture, global int* out) {\n"
                    "  out[get_global_id(0)] = get_image_width(picture); }");
  const auto add = [&](const std::string& order, const std::string& type) {
    project.add_case(order + " " + type,
                     with_out(R"("picture": {"shape": [5, 3], "fill": 1, "channel_order": ")" +
                              order + R"(", "channel_type": ")" + type + "\"}")
                             .insert(0, R"({"arguments": )") +
                         R"(, "expected": {"out": [5, 5, 5, 5]}})");
  };
  for (const std::string& order : orders)
    for (const std::string& type : types)
      if (is_packed(type) == (order == "RGB" || order == "RGBx") &&
          (is_packed(type) || order == "RG" || type == "unorm_int8" ||
           (type == "float" && !order.starts_with("s"))))
        add(order, type);
  const auto result = project.run();
  CAPTURE(result.output);
  std::size_t made = 0, refused = 0;
  const auto cases = project.result("test.json").at("cases");
  for (const auto& one : cases) {
    made += one["verdict"] == "passed" ? 1 : 0;
    refused += contains(one["message"], "' (channel_order ") &&
                       contains(one["message"], "): clCreateImage failed: CL_")
                   ? 1
                   : 0;
  }
  CHECK(made >= 2);                                 // RGBA of either type
  CHECK(made + refused == 11 * 2 + 12 + 2 + 2 * 3); // of sRGB one type each, two packed orders
}

TEST_CASE("pixels, samplers and their keys run, and have mistakes that are refused",
          "[needs][needs-device]") {
  require_device();
  // Four reads around the right edge of a picture of 1, 2.
  const std::string read = "kernel void k(read_only image2d_t picture, sampler_t s, global float* "
                           "out, float first, float step) {\n"
                           "  int i = get_global_id(0);\n"
                           "  out[i] = read_imagef(picture, s, (float2)(first + i * step, "
                           "0.5f)).x; }\n";
  const auto arguments = [](const std::string& sampler, const std::string& first,
                            const std::string& step) {
    return with_out(
        R"("picture": {"shape": [2, 1], "values": [[1, 0, 0, 0], [2, 0, 0, 0]]}, "s": )" + sampler +
        R"(, "first": )" + first + R"(, "step": )" + step);
  };
  const std::string wrong = arguments(R"({"addressing_mode": "wrap"})", "0.5", "1");
  const std::string refusal =
      "addressing_mode 'wrap' is not supported; there are: none, clamp_to_edge";
  const char* const kRepeat = R"({"addressing_mode": "repeat", "normalized_coordinates": true})";
  const char* const kMirrored =
      R"({"addressing_mode": "mirrored_repeat", "normalized_coordinates": true})";
  check_cases(read, {{arguments("{}", "0.5", "1"), " = 1, 2, 2, 2", wrong, refusal},
                     {arguments(R"({"addressing_mode": "clamp_to_edge"})", "0.5", "1"),
                      " = 1, 2, 2, 2", wrong, refusal},
                     {arguments(R"({"addressing_mode": "clamp"})", "0.5", "1"), " = 1, 2, 0, 0",
                      wrong, refusal},
                     {arguments(R"({"addressing_mode": "none"})", "0.5", "0.25"), " = 1, 1, 2, 2",
                      wrong, refusal},
                     {arguments(kRepeat, "0.25", "0.5"), " = 1, 2, 1, 2",
                      arguments(R"({"normalized_coordinates": 1})", "0.25", "0.5"),
                      "normalized_coordinates: 1 is not true or false"},
                     {arguments(kMirrored, "0.25", "0.5"), " = 1, 2, 2, 1", wrong, refusal},
                     {arguments(R"({"filter_mode": "nearest"})", "0.9", "0"), " = 1, 1, 1, 1",
                      arguments(R"({"filter_mode": "cubic"})", "0.5", "1"),
                      "filter_mode 'cubic' is not supported; there are: nearest, linear"},
                     {arguments(R"({"filter_mode": "linear"})", "1", "0"), " = 1.5, 1.5",
                      arguments(R"("linear")", "0.5", "1"), "is a sampler, which takes only"}});
  CHECK(
      code_in(between(document("reference/test-cases.md"), "samplers `addressing_mode`", "\n\n")) ==
      std::set<std::string>{"addressing_mode", "none", "clamp_to_edge", "clamp", "repeat",
                            "mirrored_repeat", "filter_mode", "nearest", "linear",
                            "normalized_coordinates"});
}
