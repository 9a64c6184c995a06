#include "tests/catch.h"
#include "tests/runtime/device_fixture.h"

#include <chrono>

using namespace gputest;
using namespace gputest::tests;

namespace {

constexpr const char* kTwice = "kernel void twice(global int* data, int n) {\n"
                               "  int i = get_global_id(0);\n"
                               "  if (i < n) data[i] *= 2;\n"
                               "}\n";

model::KernelInterface twice(model::Type element = kInt) {
  return kernel_interface("twice",
                          {pointer("data", std::move(element), true), by_value("n", kInt)});
}

HarnessProject project_of(const char* body, model::Type element = kInt) {
  const std::string type = element.name;
  HarnessProject project("kernel void twice(global " + type + "* data, int n) { " + body + " }",
                         twice(element));
  project.add_case("only", R"({"arguments": {"data": {"size": 4, "fill": "iota"}, "n": 4}})");
  return project;
}

} // namespace

TEST_CASE("cases pass and fail; verdicts, messages and files tell", "[needs][needs-device]") {
  require_device();
  HarnessProject project(kTwice, twice());
  project.add_case(
      "good",
      R"({"arguments": {"data": [1, 2, 3, 4], "n": 3}, "expected": {"data": [2, 4, 6, 4]}})");
  project.add_case(
      "bad",
      R"({"arguments": {"data": [1, 2, 3, 4], "n": 4}, "expected": {"data": [2, 4, 6, 4]}})");
  const auto result = project.run();
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "passed: good"));
  CHECK(contains(result.output, "failed: bad"));
  CHECK(contains(result.output, "'data' differs in 1 of 4 values:\n  data[3]: expected 4, got 8"));
  CHECK(contains(result.output, "fixture: 1 of 2 cases passed"));

  const auto json = project.result("test.json");
  CHECK(json["format"] == "gputest-test-1");
  CHECK(json["cases"][0]["verdict"] == "passed");
  CHECK(json["cases"][1]["verdict"] == "failed");
  const std::string log = project.folder.read("test.jsonl");
  CHECK(std::count(log.begin(), log.end(), '\n') == 2);

  CHECK(project.run({"--case", "good"}).exit_code == 0);
  CHECK(project.run({"--list-cases"}).output == "good\nbad\n");
  project.add_case("a, b", R"({"arguments": {"data": [1], "n": 0}, "global_size": [2]})");
  CHECK(project.run({"--list-cases", "--case", "a, b", "--case=good"}).output == "good\na, b\n");
  CHECK(project.run({"--json", (project.folder.path() / "sub/x.json").string()}).exit_code == 1);
  CHECK(project.result("sub/x.json")["name"] == "fixture");
}

TEST_CASE("a reference function is an oracle", "[needs][needs-device]") {
  require_device();
  HarnessProject project(kTwice, twice());
  project.description["reference"] = "twice";
  project.add_case("all", R"({"arguments": {"data": {"size": 4, "fill": "random"}, "n": 4}})");
  CHECK(project.run().exit_code == 0);
  project.add_case("some", R"({"arguments": {"data": [1, 2, 3, 4], "n": 2}})");
  const auto result = project.run();
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "data[2]: expected 6, got 3"));
  CHECK(contains(result.output, "compared with the reference function"));
  project.description["reference"] = "crash";
  CHECK(contains(project.run().output, "the reference function crashed the process: SIGSEGV\n"));
}

TEST_CASE("without an oracle a case passes, and says so", "[needs][needs-device]") {
  require_device();
  const auto result = project_of("data[get_global_id(0)] = n;").run();
  CHECK(result.exit_code == 0);
  CHECK(contains(result.output, "no oracle"));
}

TEST_CASE("a case that passes and says little is told, in the results, too",
          "[needs][needs-device]") {
  require_device();
  HarnessProject project("kernel void twice(global int* data, int n) {\n"
                         "  int i = get_global_id(0);\n"
                         "  if (i < n) data[i] = n < 4 ? 7 * i : 2 * data[i];\n"
                         "}\n",
                         twice());
  project.add_case("one value", R"({"arguments": {"data": [3, 3, 3, 3], "n": 4},
                                    "expected": {"data": [6, 6, 6, 6]}})");
  project.add_case("untouched", R"({"arguments": {"data": [1, 2, 3, 4], "n": 0},
                                    "expected": {"data": [1, 2, 3, 4]}})");
  project.add_case("unread", R"({"arguments": {"data": [1, 2, 3, 4], "n": 3},
                                 "expected": {"data": [0, 7, 14, 4]}})");
  project.add_case("good", R"({"arguments": {"data": [1, 2, 3, 4], "n": 4},
                               "expected": {"data": [2, 4, 6, 8]}})");
  project.add_case("wrong", R"({"arguments": {"data": [3, 3, 3, 3], "n": 4},
                                "expected": {"data": [6, 6, 6, 5]}})");
  const auto result = project.run();
  CHECK(result.exit_code == 1); // because one is wrong
  const std::string one_value = "each output is one value, or is what it was before";
  CHECK(contains(result.output, "weak: case 'one value': " + one_value));
  const auto cases = project.result("test.json")["cases"];
  REQUIRE(cases.size() == 5);
  CHECK(cases[0]["weak"] == one_value);
  CHECK(cases[1]["weak"] == one_value);
  CHECK(cases[2]["weak"] == "no value that the kernel reads changes its outputs");
  CHECK(!cases[3].contains("weak"));
  CHECK(!cases[4].contains("weak"));
  CHECK(project.run({"--case", "one value"}).exit_code == 0);
  CHECK(!contains(project.run({"--case", "one value", "--no-weak"}).output, "weak"));
}

TEST_CASE("a kernel that fails with other values fails no case", "[needs][needs-cpu]") {
  require_cpu(); // GPUs answer an access out of bounds in their own ways
  HarnessProject project("kernel void twice(global int* data, int n) {\n"
                         "  int i = get_global_id(0);\n"
                         "  if (data[0] == data[1]) data[(size_t)1 << 45] = 1;\n"
                         "  if (i < n) data[i] *= 2;\n"
                         "}\n",
                         twice());
  for (const char* name : {"first", "second"})
    project.add_case(name, R"({"arguments": {"data": [5, 2, 3, 4], "n": 4},
                               "expected": {"data": [10, 4, 6, 8]}})");
  const auto result = project.run();
  CHECK(result.exit_code == 0);
  CHECK(contains(result.output, "2 of 2 cases passed"));
  CHECK(contains(result.output, "not known whether case 'first' is weak: kernel 'twice' with other "
                                "values crashed the process"));
  CHECK(contains(result.output, "not known of 1 of 2 cases whether they are weak"));
  CHECK(!project.result("test.json")["cases"][0].contains("weak"));
}

TEST_CASE("an output full of NaN fails even without an oracle", "[needs][needs-device]") {
  require_device();
  const auto result = project_of("data[get_global_id(0)] = NAN;", kFloat).run();
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "'data' holds nothing but NaN"));
}

TEST_CASE("a write just past the end fails the case", "[needs][needs-device]") {
  require_device();
  const auto result = project_of("data[get_global_id(0) + 1] = n;").run();
  CHECK(result.exit_code == 1);
  CHECK(
      contains(result.output, "kernel 'twice' wrote 4 bytes past the end of 'data' (4 elements)"));
}

TEST_CASE("a kernel that crashes fails its case, and the next one runs", "[needs][needs-cpu]") {
  require_cpu(); // GPUs answer an access out of bounds in their own ways
  auto project = project_of("if (n == 4) data[(size_t)1 << 45] = 1; else data[0] = 1;");
  project.add_case("next",
                   R"({"arguments": {"data": [1, 2], "n": 1}, "expected": {"data": [1, 2]}})");
  const auto result = project.run();
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "crashed: only"));
  CHECK(contains(result.output,
                 "kernel 'twice' crashed the process: SIGSEGV (often an access out of "
                 "bounds or a divergent barrier)"));
  CHECK(contains(result.output, "passed: next"));
}

TEST_CASE("a kernel that never ends is ended", "[needs][needs-device]") {
  require_device();
  auto project = project_of("volatile global int* p = data; while (p[0] != 99) p[1] = n;");
  const auto start = std::chrono::steady_clock::now();
  const auto result = project.run({"--timeout", "2"});
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "timeout: only"));
  CHECK(contains(result.output, "kernel 'twice' timed out after 2 s"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::minutes(3));
}

TEST_CASE("a source that does not build: its message, exit 3", "[needs][needs-device]") {
  require_device();
  const auto result = project_of("data[0] = missing;").run();
  CHECK(result.exit_code == 3);
  CHECK(contains(result.output, "does not build for"));
  CHECK(contains(result.output, "'missing'"));
}

TEST_CASE("a device function is tested through its wrapper", "[needs][needs-device]") {
  require_device();
  HarnessProject project(
      "int f(int x) { return 3 * x; }\n",
      kernel_interface("gputest_f", {pointer("x", kInt), pointer("result", kInt, true)}));
  project.folder.write("wrapper.cl",
                       "kernel void gputest_f(global const int* x, global int* result) {\n"
                       "  size_t i = get_global_id(0); result[i] = f(x[i]); }\n");
  project.description["function"] = "f";
  project.add_case("c", R"({"arguments": {"x": [1, 2, 3, 4], "result": {"size": 4}},
                            "expected": {"result": [3, 6, 9, 12]}})");
  CHECK(project.run().exit_code == 0);
}

TEST_CASE("ARGUMENTS alone make a case; includes, definitions and build options reach the compiler",
          "[needs][needs-device]") {
  require_device();
  HarnessProject project("#include \"h.h\"\n#include \"i.h\"\nkernel void twice(global int* data, "
                         "int n) { data[get_global_id(0)] = n + H + I + D + O; }",
                         twice());
  project.folder.write("h.h", "#define H 10\n");
  project.folder.write("inc/i.h", "#define I 100\n");
  project.description["include_dirs"] = {(project.folder.path() / "inc").string()};
  project.description["definitions"] = {"D=1000"};
  project.description["build_options"] = {"-DO=10000"};
  project.description["cl_std"] = "CL1.2";
  project.description["arguments"] = {"data:size=4,output", "n=1"};
  const auto result = project.run({"--verbose"});
  CHECK(result.exit_code == 0);
  CHECK(contains(result.output, "passed: arguments"));
  CHECK(contains(result.output, "case 'arguments'\n"
                                "  global size 4 x 1 x 1, local size 2 x 1 x 1\n"
                                "  data: 4 x int, output = 0, 0, 0, 0\n"
                                "  n: int = 1\n"
                                "passed: arguments"));
  CHECK(contains(result.output, "\n  data afterwards = 11111, 11111, 11111, 11111\n"));
  CHECK(contains(result.output, "build log:"));
}

TEST_CASE("verbose runs tell the arguments even of a kernel that crashes", "[needs][needs-cpu]") {
  require_cpu(); // GPUs answer an access out of bounds in their own ways
  const auto result = project_of("data[(size_t)1 << 45] = n;").run({"--verbose"});
  CHECK(contains(result.output, "  data: 4 x int, output = 0, 1, 2, 3\n"
                                "  n: int = 4\n"
                                "crashed: only"));
}

TEST_CASE("wrong usage and input: exit 2 and what to do") {
  HarnessProject project(kTwice, twice());
  project.add_case("good", R"({"arguments": {"data": [1, 2, 3, 4], "n": 3}})");
  const auto refused = [](const HarnessProject& changed, const std::string& message,
                          const std::vector<std::string>& options = {}) {
    const auto result = changed.run(options);
    CAPTURE(result.output);
    CHECK(result.exit_code == 2);
    CHECK(contains(result.output, message));
  };
  const auto original = project.description;
  const auto with = [&](const char* key, const nlohmann::json& value) -> const HarnessProject& {
    project.description = original;
    project.description[key] = value;
    return project;
  };
  refused(project, "covrage", {"--covrage"});
  refused(project, "'extra' is no option", {"extra"});
  refused(project, "--timeout: '0' is not a number of seconds above 0", {"--timeout", "0"});
  refused(project, "see --help", {"--timeout", "soon"});
  refused(project, "there is no test case 'none'; there are:\n  good", {"--case", "none"});
  refused(with("kernel", "thrice"), "there is no kernel 'thrice'; there are: twice");
  refused(with("global_size", {5}), "is not a multiple of local size 2");
  refused(with("settings", {{"coverage.brunch", "100"}}), "coverage has no setting 'brunch'");
  refused(with("settings", {{"coverage.branch", "101"}}), "'101' is not a percentage");
  refused(with("arguments", {"m=1"}), "has no argument 'm'; there are: data, n");
  refused(with("test_cases", nlohmann::json::array()),
          "argument 'data' of kernel 'twice' has no value");
  refused(with("kernel_dir", "/no/such"), "/no/such/interface.json");
  project.description = original;
  project.add_case("wrong", "{");
  refused(project, "wrong.json: error: not JSON");
}

TEST_CASE("A missing kernel file ends the harness with exit code 2", "[needs][needs-device]") {
  require_device();
  HarnessProject project(kTwice, twice());
  project.add_case("good", R"({"arguments": {"data": [1, 2, 3, 4], "n": 3}})");
  project.description["source"] = "/no/such.cl";
  const auto result = project.run();
  CHECK(result.exit_code == 2);
  CHECK(contains(result.output, "/no/such.cl: error: cannot be read"));
}

TEST_CASE("local memory beyond what the device says: tried, and both numbers where it fails",
          "[needs][needs-device]") {
  require_device();
  HarnessProject project(
      "kernel void k(global int* data, local int* s) { s[0] = 1; data[0] = s[0]; }",
      kernel_interface("k", {pointer("data", kInt, true),
                             pointer("s", kInt, false, model::AddressSpace::Local)}));
  project.add_case("big", R"({"arguments": {"data": [1], "s": {"size": 10000000000}}})");
  project.add_case("small",
                   R"({"arguments": {"data": [1], "s": {"size": 1}}, "global_size": [2]})");
  const auto result = project.run();
  INFO(result.output);
  CHECK(result.exit_code != 0); // 3 where the device refuses, 1 where OpenCL ends the process
  CHECK((contains(result.output, "error: big") || contains(result.output, "crashed: big")));
  CHECK(contains(result.output, " bytes of local memory ('s': 40000000000), "));
  CHECK(contains(result.output, "passed: small"));
}

TEST_CASE("a case's time is that of its arguments and its reference, too",
          "[needs][needs-device]") {
  require_device();
  HarnessProject project("kernel void twice(global uchar* data, int n) { data[0] = n; }",
                         twice(model::scalar_type(model::Scalar::UChar)));
  project.add_case("huge", R"json({"arguments": {"n": 1,
      "data": {"size": 2147483648, "fill": "random(0,255)"}}})json");
  project.add_case("small", R"({"arguments": {"data": [1], "n": 0}})");
  const auto start = std::chrono::steady_clock::now();
  const auto result = project.run({"--timeout", "3"});
  INFO(result.output);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::minutes(3));
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "timeout: huge"));
  CHECK(contains(result.output, "making the case's arguments timed out after 3 s; raise it with"));
  CHECK(contains(result.output, "passed: small"));
}

TEST_CASE("devices are listed, chosen, and missed", "[needs][needs-device]") {
  require_device();
  HarnessProject project(kTwice, twice());
  project.add_case("good", R"({"arguments": {"data": [1, 2, 3, 4], "n": 3}})");
  CHECK(contains(project.run({"--list-devices"}).output, "0: " + runtime::choose_device("").name));
  CHECK(project.run({"--device", "0"}).exit_code == 0);
  const auto wrong = project.run({"--device", "slide rule"});
  CHECK(wrong.exit_code == 2);
  CHECK(contains(wrong.output, "no device is called 'slide rule'"));
}

TEST_CASE("no OpenCL platform: skipped") {
  HarnessProject project(kTwice, twice());
  project.add_case("good", R"({"arguments": {"data": [1, 2, 3, 4], "n": 3}})");
  const TemporaryFolder empty;
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, std::vector<std::string>{"--coverage"},
        std::vector<std::string>{"--list-devices"}}) {
    const auto result = project.run(options, "OCL_ICD_VENDORS=" + empty.path().string());
    CHECK(result.exit_code == 77);
    CHECK(contains(result.output, "skipped: no OpenCL device"));
  }
}

TEST_CASE("--help explains the options") {
  HarnessProject project(kTwice, twice());
  const auto result = project.run({"--help"});
  CHECK(result.exit_code == 0);
  CHECK(contains(result.output, "--list-devices"));
}
