#include "runtime/cases/bound_case.h"

#include "gputest/error.h"
#include "runtime/cases/npy.h"
#include "tests/catch.h"
#include "tests/runtime/interface_builder.h"
#include "tests/temporary_folder.h"

#include <array>
#include <fmt/format.h>

using namespace gputest;
using namespace gputest::runtime;
using namespace gputest::tests;

namespace {

model::KernelInterface sum() {
  return kernel_interface("sum", {pointer("data", kInt, true),
                                  pointer("scratch", kInt, false, model::AddressSpace::Local),
                                  by_value("n", kInt)});
}

struct Setup {
  model::KernelInterface kernel = sum();
  TestCase test_case;
  CaseDefaults defaults;

  Setup() {
    test_case.name = "c";
    defaults.global_size = {6};
    defaults.local_size = {3};
    give("data", R"([1, 2, 3])");
    give("scratch", R"({"size": 3})");
    give("n", "6");
  }
  void give(const std::string& name, const char* json) {
    test_case.arguments[name] = argument_value(Json::parse(json), "");
  }
  void spec(const char* text) { defaults.arguments.push_back(parse_argument_spec(text, "")); }
  BoundCase bind() const { return bind_case(test_case, kernel, defaults); }
  std::string refusal() const {
    return message_of<UsageError>([&] { bind(); });
  }
};

} // namespace

TEST_CASE("a bound case has bytes for every argument") {
  Setup setup;
  setup.test_case.expected["data"] = argument_value(Json::parse("[6, 5, 4]"), "");
  const BoundCase bound = setup.bind();
  REQUIRE(bound.arguments.size() == 3);
  CHECK(bound.arguments[0].bytes.size() == 12);
  CHECK(bound.arguments[0].read_back);
  CHECK(bound.outputs[0]);
  CHECK(bound.arguments[1].local_size == 12);
  CHECK(load<int>(bound.arguments[2].bytes.data()) == 6);
  CHECK(bound.launch.global_size[0] == 6);
  CHECK(bound.launch.local_size[0] == 3);
  REQUIRE(bound.expected.size() == 1);
  CHECK(load<int>(bound.expected[0].bytes.data()) == 6);
}

TEST_CASE("a case wins over ARGUMENTS, ARGUMENTS over the interface") {
  Setup setup;
  setup.kernel.arguments[2].input = model::Input::Value;
  setup.kernel.arguments[2].value = "1";
  setup.test_case.arguments.erase("n");
  CHECK(load<int>(setup.bind().arguments[2].bytes.data()) == 1);
  setup.spec("n=2");
  CHECK(load<int>(setup.bind().arguments[2].bytes.data()) == 2);
  setup.give("n", "3");
  CHECK(load<int>(setup.bind().arguments[2].bytes.data()) == 3);
}

TEST_CASE("size and content may come from different places") {
  Setup setup;
  setup.test_case.arguments.erase("data");
  setup.kernel.arguments[0].size = 5;
  CHECK(setup.bind().arguments[0].bytes == Bytes(20)); // a size alone: zeros
  setup.give("data", R"({"fill": "iota"})");
  CHECK(load<int>(setup.bind().arguments[0].bytes.data() + 16) == 4);
  setup.give("data", "[1, 2]"); // brings its own size
  CHECK(setup.bind().arguments[0].bytes.size() == 8);
  setup.give("data", R"({"size": 4, "values": [1, 2]})");
  CHECK(setup.bind().arguments[0].bytes.size() == 16);
}

TEST_CASE("a buffer may be null, in a case, in ARGUMENTS and in the interface") {
  Setup setup;
  const auto is_null = [&] {
    const LaunchArgument data = setup.bind().arguments[0];
    return data.kind == LaunchArgument::Kind::Buffer && data.is_null && data.bytes.empty() &&
           !data.read_back;
  };
  setup.give("data", "null");
  CHECK(is_null());
  CHECK_FALSE(setup.bind().outputs[0]);
  CHECK_NOTHROW(check_case(setup.test_case, setup.kernel, setup.defaults));
  BoundCase all = setup.bind();
  read_back_all(all);
  CHECK_FALSE(all.arguments[0].read_back);

  setup.spec("data=[1,2]"); // the case wins
  CHECK(is_null());
  setup.defaults.arguments.clear();
  setup.spec("data=null");
  setup.give("data", "[3]");
  CHECK(setup.bind().arguments[0].bytes.size() == 4);
  setup.give("data", R"({"size": 2})"); // zeros
  CHECK_FALSE(is_null());
  setup.test_case.arguments.erase("data");
  CHECK(is_null());

  setup.defaults.arguments.clear();
  setup.kernel.arguments[0].input = model::Input::Value;
  setup.kernel.arguments[0].value = "null";
  CHECK(is_null());

  // A pointer may be null even if no case can give its elements.
  setup.kernel.arguments[0].type.kind = model::Type::Kind::Pointer;
  CHECK(is_null());
}

TEST_CASE("a case's lock step wins over the default, and fits the work-group") {
  Setup setup;
  CHECK(setup.bind().launch.lock_step == 0);
  setup.defaults.lock_step = 2;
  setup.defaults.local_size.clear();
  CHECK(contains(setup.refusal(), "2 work-items are in lock step, so give a local size"));
  setup.test_case.global_size = {8};
  setup.test_case.local_size = {4};
  CHECK(setup.bind().launch.lock_step == 2);
  setup.test_case.lock_step = 4;
  CHECK(setup.bind().launch.lock_step == 4);
  setup.test_case.lock_step = 8;
  CHECK(
      contains(setup.refusal(), "8 work-items cannot be in lock step, because a work-group has 4"));
  setup.test_case.global_size = {8, 3};
  setup.test_case.local_size = {4, 3};
  CHECK(setup.bind().launch.lock_step == 8);
  for (const std::size_t none : {0, 3, 128}) {
    setup.test_case.lock_step = none;
    CHECK(contains(setup.refusal(), fmt::format("{} work-items cannot be in lock step: 2, 4, 8, "
                                                "16, 32 and 64 can",
                                                none)));
  }
}

TEST_CASE("a case's global offset wins over the default, and CUDA has none") {
  Setup setup;
  CHECK(setup.bind().launch.global_offset == std::array<std::size_t, 3>{0, 0, 0});
  setup.defaults.global_offset = {4};
  CHECK(setup.bind().launch.global_offset[0] == 4);
  CHECK(launch_of(setup.test_case, setup.kernel, setup.defaults).global_offset[0] == 4);
  setup.test_case.global_offset = {0};
  CHECK(setup.bind().launch.global_offset[0] == 0);
  setup.test_case.global_offset = {5};
  CHECK(setup.bind().launch.global_offset[0] == 5);
  setup.defaults.requirements = {"global_offset(0) == n - 1"};
  CHECK_NOTHROW(setup.bind());
  setup.defaults.requirements = {"global_offset(0) < 5"};
  CHECK(contains(setup.refusal(), "REQUIRE \"global_offset(0) < 5\" does not hold"));
  setup.defaults.requirements.clear();
  setup.test_case.global_offset = {1, 2};
  CHECK(setup.refusal() == "case 'c': global offset has 2 dimensions, global size 1");
  setup.test_case.global_offset.clear();
  setup.defaults.language = model::Language::Cuda;
  CHECK(contains(setup.refusal(), "\"global_offset\" is for OpenCL C"));
}

TEST_CASE("null is refused where it means nothing") {
  Setup setup;
  setup.give("n", "null");
  CHECK(setup.refusal() == "case 'c', argument 'n': is passed by value, and cannot be null");
  setup.give("n", "6");
  setup.give("scratch", "null");
  CHECK(setup.refusal() == "case 'c', argument 'scratch': is __local memory, and cannot be null");
  setup.give("scratch", R"({"size": 3})");
  setup.test_case.expected["data"] = argument_value(Json(nullptr), "");
  CHECK(setup.refusal() == "case 'c', expected 'data': null is no content");
  setup.give("data", "null");
  setup.test_case.expected["data"] = argument_value(Json({1}), "");
  CHECK(setup.refusal() == "case 'c', expected 'data': the argument is null, so it has no content");
}

TEST_CASE("a null pointer has the size 0 in requirements") {
  Setup setup;
  setup.give("data", "null");
  setup.defaults.requirements = {"size(data) == n || size(data) == 0"};
  CHECK_NOTHROW(setup.bind());
  setup.defaults.requirements = {"size(data) == n"};
  CHECK(contains(setup.refusal(), "REQUIRE \"size(data) == n\" does not hold"));
}

TEST_CASE("an interface's rules: random with bounds, a value for all, a file beside it") {
  const TemporaryFolder folder;
  Setup setup;
  setup.test_case.arguments.erase("data");
  setup.defaults.interface_folder = folder.path();
  model::Argument& data = setup.kernel.arguments[0];
  data.size = 8;
  data.input = model::Input::Random;
  data.value = "5,5";
  CHECK(load<int>(setup.bind().arguments[0].bytes.data() + 28) == 5);
  data.input = model::Input::Value;
  data.value = "9";
  CHECK(load<int>(setup.bind().arguments[0].bytes.data() + 28) == 9);
  data.input = model::Input::File;
  data.file = "d.npy";
  const Bytes content(32, std::byte{1});
  write_npy(folder.path() / "d.npy", kInt, content);
  CHECK(setup.bind().arguments[0].bytes == content);
}

TEST_CASE("what has no value is named, with what to add") {
  Setup setup;
  setup.test_case.arguments.erase("n");
  CHECK(setup.refusal() == "case 'c': argument 'n' of kernel 'sum' has no value: add ARGUMENTS "
                           "n=…, or give it in the test case");
  setup.give("n", "6");
  setup.test_case.arguments.erase("scratch");
  CHECK(contains(setup.refusal(), "add ARGUMENTS scratch:size=64,local"));
  setup.give("scratch", R"({"size": 3})");
  setup.test_case.arguments.erase("data");
  CHECK(contains(setup.refusal(), "argument 'data' of kernel 'sum' has no value"));
}

TEST_CASE("wrong names list the right ones") {
  Setup setup;
  setup.give("dta", "[1]");
  CHECK(setup.refusal() ==
        "case 'c': kernel 'sum' has no argument 'dta'; there are: data, scratch, n");
  CHECK(message_of<UsageError>([] { check_specs({parse_argument_spec("m=1", "")}, sum()); }) ==
        "ARGUMENTS: kernel 'sum' has no argument 'm'; there are: data, scratch, n");
}

TEST_CASE("values that do not suit the argument") {
  const auto refusal = [](const char* name, const char* json) {
    Setup setup;
    setup.give(name, json);
    return setup.refusal();
  };
  CHECK(refusal("n", "3000000000") ==
        "case 'c', argument 'n': 3000000000 does not fit 'int' (-2147483648 to 2147483647)");
  CHECK(contains(refusal("n", R"({"size": 4})"), "is no buffer"));
  CHECK(contains(refusal("data", "3"), "is a buffer; give an array"));
  CHECK(contains(refusal("data", R"({"size": 2, "values": [1, 2, 3]})"),
                 "3 elements are given, its size is 2"));
  CHECK(contains(refusal("data", "[]"), "size is 0"));
  CHECK(contains(refusal("data", R"({"size": 0})"), "size is 0"));
  CHECK(contains(refusal("data", R"({"fill": "iota"})"), "no size"));
  CHECK(contains(refusal("data", R"({"size": 99999999999999})"), "GiB"));
  CHECK(contains(refusal("data", R"({"sise": 3})"),
                 "case 'c', argument 'data': key 'sise' is unknown; there are: size, "));
  CHECK(contains(refusal("n", R"({"sise": 3})"), "argument 'n': key 'sise' is unknown"));
  CHECK(contains(refusal("data", R"({"size": 3, "local": true})"), "is not __local"));
  CHECK(contains(refusal("scratch", "[1, 2]"), "takes only a size"));
  CHECK(contains(refusal("scratch", R"({"size": 0})"), "size is 0"));
  CHECK(contains(refusal("data", "[1.5]"), "argument 'data'[0]: 1.5 is not an integer"));
}

TEST_CASE("a struct by value may be given by its members' names") {
  model::Type view;
  view.kind = model::Type::Kind::Struct;
  view.name = "View";
  view.size = 8;
  view.fields = {{.name = "bodies", .offset = 0, .type = kInt, .dimensions = {}},
                 {.name = "scale", .offset = 4, .type = kFloat, .dimensions = {}}};
  Setup setup;
  setup.kernel.arguments[2].type = view;
  setup.give("n", R"({"scale": 0.5, "bodies": 3})");
  const Bytes bytes = setup.bind().arguments[2].bytes;
  CHECK(load<int>(bytes.data()) == 3);
  CHECK(load<float>(bytes.data() + 4) == 0.5f);
  setup.give("n", R"({"bodies": 3})");
  CHECK(setup.refusal() == "case 'c', argument 'n': member 'scale' of 'View' is missing");
  setup.give("n", R"({"bodies": 3, "scal": 1})");
  CHECK(setup.refusal() == "case 'c', argument 'n': 'View' has no member 'scal'");
  setup.test_case.arguments.erase("n");
  setup.spec(R"(n={"bodies": 7, "scale": 1})");
  CHECK(load<int>(setup.bind().arguments[2].bytes.data()) == 7);
}

TEST_CASE("expectations that do not suit the argument") {
  const auto refusal = [](const char* name, const char* json) {
    Setup setup;
    setup.test_case.expected[name] = argument_value(Json::parse(json), "");
    return setup.refusal();
  };
  CHECK(contains(refusal("data", "[1, 2]"),
                 "expected 'data': 2 elements are given, the argument has 3"));
  CHECK(contains(refusal("n", "1"), "neither a buffer nor an image"));
  CHECK(contains(refusal("scratch", R"({"size": 3})"), "neither a buffer nor an image"));
  CHECK(refusal("data", R"({"fill": 3})") == "");
}

TEST_CASE("sizes that cannot be launched") {
  const auto refusal = [](std::vector<std::size_t> global, std::vector<std::size_t> local) {
    Setup setup;
    setup.test_case.global_size = std::move(global);
    setup.test_case.local_size = std::move(local);
    return setup.refusal();
  };
  CHECK(contains(refusal({10}, {3}),
                 "global size 10 is not a multiple of local size 3 in dimension 0"));
  CHECK(contains(refusal({0}, {3}), "global size is 0"));
  CHECK(contains(refusal({3}, {0}), "local size is 0"));
  CHECK(contains(refusal({6, 6}, {3}), "local size has 1 dimensions, global size 2"));
  Setup setup;
  setup.defaults.global_size.clear();
  CHECK(contains(setup.refusal(), "no global size"));
  setup.defaults.global_size = {7};
  setup.defaults.allow_remainder = true;
  CHECK(setup.refusal() == "");
}

TEST_CASE("a required work-group size is used, and enforced") {
  Setup setup;
  setup.kernel.required_work_group_size = {{2, 1, 1}};
  CHECK(contains(setup.refusal(), "reqd_work_group_size"));
  setup.defaults.local_size.clear();
  CHECK(setup.bind().launch.local_size[0] == 2);
}

TEST_CASE("blocks are not larger than __launch_bounds__") {
  Setup setup;
  setup.kernel.most_work_items = 2;
  setup.defaults.global_size = {6};
  setup.defaults.local_size = {2};
  CHECK(setup.refusal() == "");
  setup.defaults.local_size = {3};
  CHECK(contains(setup.refusal(), "a block has 3 threads, and __launch_bounds__ of kernel"));
  CHECK(contains(setup.refusal(), "allows 2"));
  setup.kernel.most_work_items = 4;
  setup.defaults.local_size.clear();
  CHECK(setup.bind().launch.local_size == std::array<std::size_t, 3>{3, 1, 1});
}

TEST_CASE("random content does not change when another case is added") {
  Setup setup;
  setup.give("data", R"({"size": 16, "fill": "random"})");
  const Bytes first = setup.bind().arguments[0].bytes;
  CHECK(setup.bind().arguments[0].bytes == first);
  setup.test_case.name = "d";
  CHECK(setup.bind().arguments[0].bytes != first);
}

TEST_CASE("A test case binds images and samplers to its launch") {
  model::Type image;
  image.kind = model::Type::Kind::Image;
  image.name = "image2d_t";
  model::Type sampler;
  sampler.kind = model::Type::Kind::Sampler;
  sampler.name = "sampler_t";
  model::Argument output = by_value("out", image);
  output.access = model::Access::Write;
  output.output = true;
  Setup setup;
  setup.kernel =
      kernel_interface("filter", {by_value("in", image), output, by_value("s", sampler)});
  setup.test_case.arguments.clear();
  setup.give("in", R"({"shape": [2, 2], "channel_order": "R", "channel_type": "unorm_int8",
                       "values": [1, 2, 3, 4]})");
  setup.give("out", R"({"shape": [2, 2]})");
  setup.give(
      "s",
      R"({"addressing_mode": "repeat", "filter_mode": "linear", "normalized_coordinates": true})");
  const BoundCase bound = setup.bind();
  CHECK(bound.arguments[0].bytes == Bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}});
  CHECK_FALSE(bound.arguments[0].writable);
  CHECK(bound.arguments[1].bytes.size() == 4 * 16);
  CHECK(bound.outputs[1]);
  CHECK(bound.arguments[2].sampler.filter_mode == CL_FILTER_LINEAR);

  setup.give("in", R"({"shape": [2]})");
  CHECK(contains(setup.refusal(), "shape [2] does not fit 'image2d_t', which needs 2 sizes"));
  setup.give("in", R"({"size": 4})");
  CHECK(contains(setup.refusal(), "has no shape"));
  setup.give("in", R"({"shape": [2, 2], "channel_type": "float16"})");
  CHECK(contains(setup.refusal(), "channel_type 'float16' is not supported; there are: float,"));
}
