#include "runtime/cases/argument_text.h"

#include "tests/catch.h"
#include "tests/runtime/interface_builder.h"

using namespace gputest;
using namespace gputest::runtime;
using namespace gputest::tests;

namespace {

std::string text_of(const model::Type& type, const char* values) {
  return elements_text(type, elements_from(type, Json::parse(values), "values"));
}

model::Type particle_type() {
  model::Type type;
  type.kind = model::Type::Kind::Struct;
  type.name = "Particle";
  type.size = 32;
  type.fields = {{.name = "at",
                  .offset = 0,
                  .type = model::vector_type(model::Scalar::Float, 2),
                  .dimensions = {}},
                 {.name = "tags", .offset = 16, .type = kInt, .dimensions = {2}}};
  return type;
}

} // namespace

TEST_CASE("Elements of every type are shown as text") {
  CHECK(text_of(kInt, "[]") == "");
  CHECK(text_of(kInt, "[-7]") == "-7");
  CHECK(text_of(kFloat, R"([1, 2.5, "nan"])") == "1, 2.5, nan");
  CHECK(text_of(model::vector_type(model::Scalar::UChar, 3), "[[1, 2, 3], [4, 5, 6]]") ==
        "(1, 2, 3), (4, 5, 6)");
  CHECK(text_of(particle_type(), "[[[1, 2.5], [3, 4]]]") ==
        "{at.s0: 1, at.s1: 2.5, tags[0]: 3, tags[1]: 4}");
}

TEST_CASE("only the first elements are shown, and that there are more") {
  CHECK(text_of(kInt, "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]") ==
        "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15");
  CHECK(text_of(kInt, "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]") ==
        "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 …");
  model::Type large;
  large.kind = model::Type::Kind::Struct;
  large.name = "Large";
  large.size = 80;
  large.fields = {{.name = "i", .offset = 0, .type = kInt, .dimensions = {20}}};
  const std::string text = elements_text(large, Bytes(160));
  CHECK(text.ends_with("i[15]: 0, …} …"));
}

TEST_CASE("a case before and after its launch") {
  BoundCase before;
  before.launch.global_size = {6, 1, 1};
  before.launch.local_size = {3, 1, 1};
  const auto add = [&](const char* name, LaunchArgument::Kind kind, const model::Type& type,
                       const char* values, bool output) {
    LaunchArgument argument;
    argument.name = name;
    argument.kind = kind;
    argument.bytes = elements_from(type, Json::parse(values), name);
    before.arguments.push_back(std::move(argument));
    before.types.push_back(type);
    before.outputs.push_back(output);
  };
  add("data", LaunchArgument::Kind::Buffer, kInt, "[1, 2]", true);
  add("table", LaunchArgument::Kind::Buffer, kFloat, "[0.5]", false);
  add("n", LaunchArgument::Kind::Value, kInt, "[2]", false);
  add("scratch", LaunchArgument::Kind::Local, kInt, "[]", false);
  before.arguments.back().local_size = 12;
  add("how", LaunchArgument::Kind::Sampler, kInt, "[]", false);
  CHECK(text_before(before) == "  global size 6 x 1 x 1, local size 3 x 1 x 1\n"
                               "  data: 2 x int, output = 1, 2\n"
                               "  table: 1 x float = 0.5\n"
                               "  n: int = 2\n"
                               "  scratch: 12 bytes, __local\n"
                               "  how: sampler\n");
  before.launch.local_size = {0, 0, 0};
  CHECK(text_before(before).starts_with(
      "  global size 6 x 1 x 1, local size chosen by the device\n"));

  BoundCase after = before;
  after.arguments[0].bytes = elements_from(kInt, Json::parse("[3, 2]"), "data");
  CHECK(text_after(before, after) == "  data afterwards = 3, 2\n"
                                     "  table afterwards: unchanged\n");
}
