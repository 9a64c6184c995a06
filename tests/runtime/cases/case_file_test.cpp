#include "runtime/cases/case_file.h"

#include "gputest/error.h"
#include "tests/catch.h"
#include "tests/runtime/interface_builder.h"
#include "tests/temporary_folder.h"

using namespace gputest;
using namespace gputest::runtime;
using tests::contains;
using tests::message_of;

namespace {

std::string refusal(const std::string& json) {
  const tests::TemporaryFolder folder;
  const auto file = folder.write("case.json", json);
  const std::string message = message_of<UsageError>([&] { read_test_cases(file, "sum"); });
  CHECK((message.empty() || contains(message, "case.json: error: ")));
  return message;
}

} // namespace

TEST_CASE("An argument on the command line is read with all its keys") {
  const ArgumentSpec scalar = parse_argument_spec("n=3.5", "");
  CHECK(scalar.name == "n");
  CHECK(*scalar.value.values == 3.5);
  CHECK(*parse_argument_spec("n=-inf", "").value.values == "-inf");
  CHECK(*parse_argument_spec("v=[1,2,3,4]", "").value.values == Json({1, 2, 3, 4}));
  CHECK(*parse_argument_spec("a=b.npy", "/data").value.file == "/data/b.npy");

  const ArgumentSpec random = parse_argument_spec("a:size=4096,fill=random(0,1),seed=7", "");
  CHECK(*random.value.size == 4096);
  CHECK(random.value.fill->kind == Fill::Kind::Random);
  CHECK(random.value.fill->high == 1);
  CHECK(*random.value.seed == 7);

  CHECK(*parse_argument_spec("a:size=9,values=[1,2,3]", "").value.values == Json({1, 2, 3}));
  CHECK(*parse_argument_spec("a:size=4,file=a.npy", "/data").value.file == "/data/a.npy");
  CHECK(parse_argument_spec("a:size=64,local", "").value.local);
  CHECK(parse_argument_spec("a:size=64,output", "").value.output);
  CHECK(parse_argument_spec("a=null", "").value.is_null);
  CHECK_FALSE(parse_argument_spec("a:nullable", "").value.has_content());
  CHECK(*parse_argument_spec("a:size=3,nullable", "").value.size == 3);
  CHECK(parse_argument_spec("a:shape=[4,5],channel_order=R", "").value.shape ==
        std::vector<std::size_t>{4, 5});
}

TEST_CASE("A wrong argument on the command line is refused with its reason") {
  const auto refusal_of = [](const char* spec) {
    return message_of<UsageError>([&] { parse_argument_spec(spec, ""); });
  };
  CHECK(contains(refusal_of("n"), "name=value"));
  CHECK(contains(refusal_of("=3"), "name=value"));
  CHECK(contains(refusal_of("n="), "nothing follows '='"));
  CHECK(contains(refusal_of("n:siez=3"), "key 'siez' is unknown; there are: size,"));
  CHECK(contains(refusal_of("n:null"), "key 'null' is unknown"));
  CHECK(contains(refusal_of("n:size=-3"), "-3 is not a whole number"));
  CHECK(contains(refusal_of("n:size=3,size=4"), "twice"));
  CHECK(contains(refusal_of("n:fill=iota,values=[1]"), "only one of"));
  CHECK(contains(refusal_of("n:fill=sawtooth"), "'sawtooth' is unknown"));
}

TEST_CASE("objects are members of structs by value, options of everything else") {
  using tests::by_value;
  model::Type view;
  view.kind = model::Type::Kind::Struct;
  view.name = "View";
  view.size = 8;
  view.fields = {{.name = "bodies", .offset = 0, .type = tests::kInt, .dimensions = {}},
                 {.name = "size", .offset = 4, .type = tests::kInt, .dimensions = {}}};
  const auto read = [](const char* json, const model::Argument& argument) {
    return read_object(argument_value(Json::parse(json), "/data"), argument, "a");
  };
  const char* members = R"({"bodies": 3, "size": 4})";
  CHECK(*read(members, by_value("v", view)).values == Json::parse(members));
  CHECK(*read(R"({"size": 4})", by_value("v", view)).values == Json({{"size", 4}}));
  CHECK(*read(R"({"bdies": 3})", by_value("v", view)).values == Json({{"bdies", 3}}));
  CHECK(*read(R"({"values": [3, 4]})", by_value("v", view)).values == Json({3, 4}));
  CHECK(*read(R"({"file": "v.npy"})", by_value("v", view)).file == "/data/v.npy");
  CHECK(*read(R"({"size": 4})", tests::pointer("v", view)).size == 4);
  CHECK(contains(message_of<UsageError>([&] { read(members, tests::pointer("v", view)); }),
                 "a: key 'bodies' is unknown; there are: size, "));
  const model::Type vector = model::vector_type(model::Scalar::Float, 2);
  CHECK(*read(R"({"x": 1, "y": 2})", by_value("v", vector)).values == Json({{"x", 1}, {"y", 2}}));
  CHECK(read(R"({"fill": 3})", by_value("v", vector)).fill->value == 3);
}

TEST_CASE("A test case with every key is read") {
  const tests::TemporaryFolder folder;
  const auto file = folder.write("six.json", R"json({
      "global_size": [6], "local_size": [3], "global_offset": 1,
      "arguments": {"data": [1, 2], "n": 6, "scratch": {"size": 3}, "big": "big.npy",
                    "noise": {"size": 4, "fill": "random(0,1)", "seed": 7}},
      "expected": {"data": [6, 15]},
      "tolerance": {"absolute": 1e-6, "relative": 1e-5, "ulp": 2}})json");
  const std::vector<TestCase> cases = read_test_cases(file, "sum");
  REQUIRE(cases.size() == 1);
  CHECK(cases[0].name == "six");
  CHECK(cases[0].global_offset == std::vector<std::size_t>{1});
  CHECK(*cases[0].arguments.at("big").file == folder.path() / "big.npy");
  CHECK(cases[0].arguments.at("scratch").object == Json({{"size", 3}}));
  CHECK(*cases[0].expected.at("data").values == Json({6, 15}));
  CHECK(*cases[0].tolerance->ulp == 2);
}

TEST_CASE("a file with several cases numbers those without a name") {
  const tests::TemporaryFolder folder;
  const auto file =
      folder.write("all.json", R"([{"name": "first", "arguments": {}}, {"arguments": {}}])");
  const std::vector<TestCase> cases = read_test_cases(file, "sum");
  REQUIRE(cases.size() == 2);
  CHECK(cases[0].name == "first");
  CHECK(cases[1].name == "all 2");
}

TEST_CASE("kernels leave out what was generated for others") {
  const tests::TemporaryFolder folder;
  const auto file = folder.write(
      "all.json", R"([{"name": "mine", "generated": {"kernel": "sum<int, 4>"}, "arguments": {}},
                      {"name": "other's", "generated": {"kernel": "sum"}, "arguments": {"q": 1}},
                      {"name": "a person's", "arguments": {}},
                      {"name": "of before", "generated": {"reaches": []}, "arguments": {}}])");
  std::vector<std::string> names;
  for (const TestCase& one : read_test_cases(file, "sum<int,4>"))
    names.push_back(one.name);
  CHECK(names == std::vector<std::string>{"mine", "a person's", "of before"});
  CHECK(read_test_cases(file, "sum").size() == 3);
}

TEST_CASE("malformed cases name file, case and key") {
  CHECK(contains(refusal("{"), "not JSON"));
  CHECK(contains(refusal(R"({"arguments": {"n": 1e999}})"), "not JSON"));
  CHECK(contains(refusal("[]"), "no test case"));
  CHECK(contains(refusal("3"), "not an object"));
  CHECK(contains(refusal("{}"), "key 'arguments' is missing"));
  for (const std::string key : {"cases", "tests"})
    CHECK(contains(refusal("{\"" + key + R"(": [{"arguments": {}}]})"),
                   "several test cases are an array, [{…}, {…}]: leave out the object around it, "
                   "with the key '" +
                       key + "'"));
  CHECK(
      contains(refusal(R"({"arguments": {}, "globalsize": [3]})"), "key 'globalsize' is unknown"));
  CHECK(contains(refusal(R"({"arguments": [1]})"), "case 'case'"));
  CHECK(contains(refusal(R"({"arguments": {}, "global_size": [1, 2, 3, 4]})"), "1 to 3 sizes"));
  CHECK(contains(refusal(R"({"arguments": {}, "global_size": [-1]})"), "global_size"));
  CHECK(contains(refusal(R"({"arguments": {}, "tolerance": {"ulps": 1}})"), "'ulps'"));
  CHECK(contains(refusal(R"({"arguments": {}, "tolerance": {"absolute": -1}})"), "negative"));
  CHECK(contains(refusal(R"({"arguments": {}, "generated": {"kernel": 3}})"), "kernel"));
  CHECK(contains(message_of<UsageError>([] { read_test_cases("none.json", "sum"); }),
                 "cannot be read"));
}
