// Every way to give an argument that docs/reference/gputest_add_kernel.md and
// docs/reference/test-cases.md name: each runs, from the kernel's text to what it computes, and
// each has a mistake that is refused in words.
#include "tests/runtime/documented_project.h"

#include <map>

using namespace gputest;
using namespace gputest::tests;

namespace {

struct Row {
  std::string kernel;
  std::vector<std::string> others; // arguments
  std::string shows;               // what --verbose prints
  std::string mistake, refusal;
};

void check(const std::string& spec, const Row& row) {
  CAPTURE(spec, row.mistake);
  Described project(row.kernel);
  std::vector<std::string> specs = row.others;
  specs.push_back(spec);
  project.arguments(specs);
  const auto right = project.run({"--verbose"});
  CAPTURE(right.output);
  CHECK(right.exit_code == 0);
  CHECK(contains(right.output, row.shows));
  specs.back() = row.mistake;
  project.arguments(specs);
  const auto wrong = project.run();
  CAPTURE(wrong.output);
  CHECK(wrong.exit_code == 2);
  CHECK(contains(wrong.output, row.refusal));
}

const char* const kCopyInts = "kernel void k(global const int* data, global int* out) {\n"
                              "  out[get_global_id(0)] = data[get_global_id(0)]; }\n";

const std::map<std::string, Row> kSpecs{
    {"n=3.5",
     {"kernel void k(global float* out, float n) { out[get_global_id(0)] = n; }",
      {"out:size=4"},
      "out afterwards = 3.5, 3.5, 3.5, 3.5\n",
      "n=three",
      "\"three\" is not a number"}},
    {"data:size=4096",
     {"kernel void k(global int* data) { data[get_global_id(0)] += 1; }",
      {},
      "data: 4096 x int, output = 0, 0,",
      "data:size=-1",
      "-1 is not a whole number"}},
    {"data:size=4096,fill=random(0,1)",
     {"kernel void k(global const float* data, global int* out) {\n"
      "  int inside = 0;\n"
      "  for (int i = 0; i < 4096; ++i) inside += data[i] >= 0 && data[i] < 1;\n"
      "  out[get_global_id(0)] = inside; }",
      {"out:size=4"},
      "out afterwards = 4096, 4096, 4096, 4096\n",
      "data:size=4096,fill=random(1,0)",
      "low <= high"}},
    {"data:values=[1,2,3]",
     {"kernel void k(global const int* data, global int* out) {\n"
      "  out[get_global_id(0)] = data[0] + data[1] + data[2]; }",
      {"out:size=4"},
      "out afterwards = 6, 6, 6, 6\n",
      "data:values=1",
      "is a buffer; give an array"}},
    {"data:size=4096,file=a.npy",
     {"kernel void k(global const int* data, global int* out) {\n"
      "  out[get_global_id(0)] = data[4092 + get_global_id(0)]; }",
      {"out:size=4"},
      "out afterwards = 4092, 4093, 4094, 4095\n",
      "data:size=4096,file=b.npy",
      "b.npy: error: cannot be read"}},
    {"data=a.npy",
     {kCopyInts,
      {"out:size=4"},
      "data: 4096 x int = 0, 1, 2,",
      "data=b.npy",
      "b.npy: error: cannot be read"}},
    {"mask=null",
     {"kernel void k(global const int* mask, global int* out) {\n"
      "  out[get_global_id(0)] = mask ? 1 : 2; }",
      {"out:size=4"},
      "out afterwards = 2, 2, 2, 2\n",
      "mask=nil",
      "is a buffer; give an array of elements"}},
    {"scratch:size=64,local",
     {"kernel void k(global int* out, local int* scratch) {\n"
      "  scratch[get_local_id(0)] = 7; out[get_global_id(0)] = scratch[get_local_id(0)]; }",
      {"out:size=4"},
      "scratch: 256 bytes, __local\n",
      "scratch:size=64,fill=iota,local",
      "a __local argument takes only a size"}},
    {"sum:size=64,output",
     {"void add(global int* to) { to[get_global_id(0)] = 1; }\n"
      "kernel void k(global const int* sum) { add((global int*)sum); }",
      {},
      "sum: 64 x int, output",
      "sum:size=64,output=3",
      "3 is not true or false"}},
    {"picture:shape=[64,32],channel_order=RGBA,channel_type=float",
     {"kernel void k(read_only image2d_t picture, global int* out) {\n"
      "  out[get_global_id(0)] = get_image_width(picture) * get_image_height(picture); }",
      {"out:size=4"},
      "out afterwards = 2048, 2048, 2048, 2048\n",
      "picture:shape=[64],channel_order=RGBA,channel_type=float",
      "shape [64] does not fit 'image2d_t', which needs 2 sizes"}},
};

const char* const kCopyFloats = "kernel void k(global const float* data, global float* out) {\n"
                                "  out[get_global_id(0)] = data[get_global_id(0)]; }\n";
} // namespace

TEST_CASE("each spec of ARGUMENTS runs, and has a mistake that is refused",
          "[needs][needs-device]") {
  require_device();
  for (const auto& [spec, row] : kSpecs)
    check(spec, row);
}

TEST_CASE("the table of specs in the documentation holds those that run, and no other") {
  const std::string table =
      between(document("reference/gputest_add_kernel.md"), "| spec | means |", "\n\n");
  static const std::regex first_cell("\n\\| `([^`]+)` \\|");
  std::set<std::string> documented, run;
  for (std::sregex_iterator at(table.begin(), table.end(), first_cell), end; at != end; ++at)
    documented.insert((*at)[1]);
  documented.insert("data=a.npy"); // in the second cell of its longer form
  REQUIRE(contains(table, "`data=a.npy`"));
  for (const auto& [spec, row] : kSpecs)
    run.insert(spec);
  CHECK(documented == run);
}

TEST_CASE("each form of a value in a case runs, and has a mistake that is refused",
          "[needs][needs-device]") {
  require_device();
  std::vector<CaseRow> scalars;
  for (const auto& [value, shows] : {std::pair{"2.5", " = 2.5, 2.5, 2.5, 1"},
                                     {"true", " = 1, 1, 1, 1"},
                                     {"false", " = 0, 0, 0, 1"},
                                     {"\"nan\"", " = nan, nan, nan, 1"},
                                     {"\"inf\"", " = inf, inf, inf, 1"},
                                     {"\"-inf\"", " = -inf, -inf, -inf, 1"}})
    scalars.push_back({with_out(std::string(R"("i": 1, "n": )") + value), shows,
                       with_out(R"("i": 1, "n": "NaN")"), "\"NaN\" is not a number"});
  check_cases("kernel void k(global float* out, float n, int i) {\n"
              "  out[get_global_id(0)] = get_global_id(0) == 3 ? i : n; }\n",
              scalars);
  check_cases(kCopyInts,
              {{with_out(R"("data": [1, 2, 3, 4])"), " = 1, 2, 3, 4", with_out(R"("data": 4)"),
                "is a buffer; give an array of elements"},
               {with_out(R"("data": "four.npy")"), " = 0, 1, 2, 3",
                with_out(R"("data": "fourr.npy")"), "fourr.npy: error: cannot be read"}});
  const std::string elements = R"("data": [[1, 2], {"x": 3, "y": 4}, {"s0": 5, "s1": 6}, [7, 8]])";
  check_cases("kernel void k(global const float2* data, float2 v, global float* out) {\n"
              "  int i = get_global_id(0);\n"
              "  out[i] = data[i].x + 10 * data[i].y + 100 * v.x + 1000 * v.y; }\n",
              {{with_out(elements + R"(, "v": {"x": 1, "y": 2})"), " = 2121, 2143, 2165, 2187",
                with_out(elements + R"(, "v": {"x": 1, "z": 2})"), "has no component 'z'"},
               {with_out(elements + R"(, "v": [1, 2])"), " = 2121, 2143, 2165, 2187",
                with_out(elements + R"(, "v": [1, 2, 3])"), "3 values are given"}});
  const std::string bodies =
      R"("data": [[1, [2, 3]], {"mass": 2, "at": [0, 1]}, [5, [6, 7]], [7, [8, 9]]])";
  check_cases(
      "typedef struct { float mass; int at[2]; } Body;\n"
      "kernel void k(global const Body* data, Body b, global float* out) {\n"
      "  int i = get_global_id(0); out[i] = data[i].mass + data[i].at[1] + 100 * b.at[0]; }\n",
      {{with_out(bodies + R"(, "b": {"mass": 2, "at": [1, 0]})"), " = 104, 103, 112, 116",
        with_out(bodies + R"(, "b": {"mass": 2})"), "member 'at' of 'Body' is missing"}});
  check_cases("typedef union { int bits; float value; } Word;\n"
              "kernel void k(Word w, global int* out) { out[get_global_id(0)] = w.bits; }\n",
              {{with_out(R"("w": {"value": 1})"), " = 1065353216,",
                with_out(R"("w": {"value": 1, "bits": 1})"), "2 values are given"}});
}

TEST_CASE("each fill runs, and one that is none is refused", "[needs][needs-device]") {
  require_device();
  const std::string words =
      between(document("reference/test-cases.md"), "`fill` is ", "A random fill depends");
  CHECK(code_in(words) == std::set<std::string>{"fill", "zero", "iota", "random(low,high)"});
  std::vector<CaseRow> fills;
  for (const auto& [fill, shows] : {std::pair{R"("zero")", ": unchanged"},
                                    {R"("iota")", " = 0, 1, 2, 3"},
                                    {R"json("random(5,5)")json", " = 5, 5, 5, 5"},
                                    {"2.5", " = 2.5, 2.5, 2.5, 2.5"}})
    fills.push_back({with_out(std::string(R"("data": {"size": 4, "fill": )") + fill + "}"), shows,
                     with_out(R"("data": {"size": 4, "fill": "ramp"})"),
                     "fill: 'ramp' is unknown"});
  fills.push_back({with_out(R"json("data": {"size": 4, "fill": "random(0,1)", "seed": 7})json"),
                   " = 0.", with_out(R"("data": {"size": 4, "fill": "iota", "seed": "x"})"),
                   "seed: \"x\" is not a whole number"});
  check_cases(kCopyFloats, fills);
  check_cases("kernel void k(global const uchar* data, global int* out) {\n"
              "  out[get_global_id(0)] = data[252 + get_global_id(0)]; }",
              {{with_out(R"("data": {"size": 256, "fill": "iota"})"), " = 252, 253, 254, 255",
                with_out(R"("data": {"size": 257, "fill": "iota"})"), "256 does not fit 'uchar'"}});
}

TEST_CASE("each key of an argument's object runs somewhere here", "[needs][needs-device]") {
  const std::string keys =
      between(document("reference/test-cases.md"), "| any other object |", "\n");
  static const std::regex key("\"(\\w+)\"");
  std::set<std::string> documented;
  for (std::sregex_iterator at(keys.begin(), keys.end(), key), end; at != end; ++at)
    documented.insert((*at)[1]);
  CHECK(documented == std::set<std::string>{"size", "fill", "values", "file", "seed", "shape",
                                            "channel_order", "channel_type", "addressing_mode",
                                            "filter_mode", "normalized_coordinates"});
  require_device();
  check_cases(kCopyInts, {{with_out(R"("data": {"size": 6, "values": [1, 2, 3]})"), " = 1, 2, 3, 0",
                           with_out(R"("data": {"size": 2, "values": [1, 2, 3]})"),
                           "3 elements are given, its size is 2"},
                          {with_out(R"("data": {"file": "four.npy"})"), " = 0, 1, 2, 3",
                           with_out(R"("data": {"size": 3, "file": "four.npy"})"),
                           "4 elements are given, its size is 3"}});
}

TEST_CASE("keys that mean nothing for an argument are refused") {
  const auto refused = [](const std::string& kernel, const std::string& arguments,
                          const std::string& message) {
    Described project(kernel);
    project.add_case("only", R"({"arguments": )" + arguments + "}");
    const auto result = project.run();
    CAPTURE(arguments, result.output);
    CHECK(result.exit_code == 2);
    CHECK(contains(result.output, message));
  };
  const char* const kShape = "is no image, and has no shape, channel_order or channel_type";
  refused(kCopyInts, with_out(R"("data": {"size": 4, "shape": [4]})"), kShape);
  refused(kCopyInts, with_out(R"("data": {"size": 4, "channel_type": "float"})"), kShape);
  refused(kCopyInts, with_out(R"("data": {"size": 4, "filter_mode": "linear"})"),
          "is no sampler, and has no addressing_mode, filter_mode or normalized_coordinates");
  refused("kernel void k(int n, global int* out) { out[0] = n; }",
          with_out(R"("n": {"values": 3, "output": true})"),
          "is passed by value and cannot be an output");
  refused("kernel void k(local int* s, global int* out) { out[0] = s[0]; }",
          with_out(R"("s": {"size": 4, "output": true})"), "is __local and cannot be an output");
  refused("kernel void k(read_only image2d_t p, global int* out) { out[0] = get_image_width(p); }",
          with_out(R"("p": {"shape": [4, 4], "output": true})"),
          "is read_only and cannot be an output");
  refused("kernel void k(constant int* c, global int* out) { out[0] = c[0]; }",
          with_out(R"("c": {"size": 4, "output": true})"), "is __constant and cannot be an output");
}

TEST_CASE("sizes, offset, several cases and tolerances of a case file", "[needs][needs-device]") {
  require_device();
  Described project("kernel void k(global float* out) {\n"
                    "  out[get_global_id(0)] = 1 + 0.001f + get_local_size(0); }");
  const auto run = [&](const std::string& keys) {
    project.description["test_cases"] = nlohmann::json::array();
    project.add_case("file", R"({"arguments": {"out": {"size": 8}}, )" + keys + "}");
    return project.run();
  };
  const auto passes = [&](const std::string& keys) {
    const auto result = run(keys);
    CAPTURE(keys, result.output);
    CHECK(result.exit_code == 0);
  };
  const auto fails = [&](const std::string& keys, int exit_code, const std::string& message) {
    const auto result = run(keys);
    CAPTURE(keys, result.output);
    CHECK(result.exit_code == exit_code);
    CHECK(contains(result.output, message));
  };
  const std::string four = R"("expected": {"out": [3, 3, 3, 3, 0, 0, 0, 0]})";
  passes(four + R"(, "tolerance": {"absolute": 0.002})");
  fails(four + R"(, "tolerance": {"absolute": 0.0001})", 1, "expected 3, got 3.00");
  passes(four + R"(, "tolerance": {"relative": 0.001})");
  fails(four + R"(, "tolerance": {"relative": 0.0001})", 1, "expected 3, got 3.00");
  passes(four + R"(, "tolerance": {"ulp": 5000})");
  fails(four + R"(, "tolerance": {"ulp": 4})", 1, "expected 3, got 3.00");
  fails(four + R"(, "tolerance": {"ulp": 0.5})", 2, "ulp: 0.5 is not a whole number");
  passes(R"("name": "x", "global_size": [8], "local_size": [4], "tolerance": {"absolute": 0.01},
            "expected": {"out": [5, 5, 5, 5, 5, 5, 5, 5]})");
  fails(R"("global_size": [8], "local_size": [3])", 2, "is not a multiple of local size 3");
  passes(R"("global_offset": [4], "tolerance": {"absolute": 0.01},
            "expected": {"out": [0, 0, 0, 0, 3, 3, 3, 3]})");
  fails(R"("global_offset": [4, 4])", 2, "global offset has 2 dimensions, global size 1");
}

TEST_CASE("what an edited interface says runs, and has mistakes that are refused",
          "[needs][needs-device]") {
  require_device();
  Described project(kCopyInts);
  const auto run = [&](const std::string& keys) {
    auto interface = project.result("interface.json");
    interface["kernels"][0]["arguments"][0].update(nlohmann::json::parse(keys));
    interface["kernels"][0]["arguments"][1]["size"] = 4;
    project.description["user_interface"] =
        project.folder.write("edited.json", interface.dump()).string();
    return project.run({"--verbose"});
  };
  const auto gives = [&](const std::string& keys, const std::string& text) {
    const auto result = run(keys);
    CAPTURE(keys, result.output);
    CHECK(result.exit_code == 0);
    CHECK(contains(result.output, "out afterwards" + text));
  };
  const auto refused = [&](const std::string& keys, const std::string& message) {
    const auto result = run(keys);
    CAPTURE(keys, result.output);
    CHECK(result.exit_code == 2);
    CHECK(contains(result.output, message));
  };
  gives(R"({"size": 4, "input": "zero"})", ": unchanged");
  gives(R"({"size": 4, "input": "iota"})", " = 0, 1, 2, 3");
  gives(R"({"size": 4, "input": "random", "value": "6,6"})", " = 6, 6, 6, 6");
  gives(R"({"size": 4, "input": "value", "value": "9"})", " = 9, 9, 9, 9");
  gives(R"({"input": "value", "value": "[4, 3, 2, 1]"})", " = 4, 3, 2, 1");
  gives(R"({"input": "file", "file": "four.npy"})", " = 0, 1, 2, 3");
  refused(R"({"size": 4, "input": "ramp"})", "ramp");
  refused(R"({"size": 4, "input": "value", "value": "nine"})", "the value 'nine' is not JSON");
  refused(R"({"input": "file", "file": "five.npy"})", "five.npy: error: cannot be read");
}
