// The original beside the instrumented kernel: --compare, and each case of --coverage.
#include "model/coverage.h"
#include "tests/runtime/described_project.h"

using namespace gputest;
using namespace gputest::tests;

namespace {

constexpr const char* kTwice = "kernel void k(global int* data, int n) {\n"
                               "  int i = get_global_id(0);\n"
                               "  if (i < n)\n"
                               "    data[i] *= 2;\n"
                               "}\n";

// kTwice, and an instrumented kernel that computes something else where n is 2.
DescribedProject miscompiled(const std::string& otherwise) {
  DescribedProject project(kTwice);
  std::string text = project.folder.read("coverage.cl");
  const std::size_t at = text.find("data[i] *= 2;");
  REQUIRE(at != std::string::npos);
  text.replace(at, 13, "data[i] *= n == 2 ? " + otherwise + " : 2;");
  project.folder.write("coverage.cl", text);
  project.add_case("four", R"({"arguments": {"data": [1, 2, 3, 4], "n": 4}})");
  project.add_case("two", R"({"arguments": {"data": [1, 2, 3, 4], "n": 2}})");
  return project;
}

} // namespace

TEST_CASE("coverage of something else than the kernel is no coverage: exit 3, case and values",
          "[needs][needs-device]") {
  require_device();
  const auto project = miscompiled("3");
  const auto result = project.run({"--coverage"});
  INFO(result.output);
  CHECK(result.exit_code == 3);
  CHECK(contains(result.output, "passed: four"));
  CHECK(contains(result.output, "error: two"));
  CHECK(contains(result.output, "computes something else with coverage than without, where "
                                "'data' differs in 2 of 4 values:\n"));
  CHECK(contains(result.output, "data[0]: expected 2, got 3"));
  // Nothing of the case that differs is counted.
  const auto coverage = model::read_coverage(project.folder.path() / "coverage.json");
  for (const auto& site : coverage.sites)
    if (site.site.criterion == model::Criterion::Branch)
      CHECK(site.hits == std::vector<std::uint64_t>{1, 0});
}

TEST_CASE("the simulator says who is wrong where coverage computes something else",
          "[needs][needs-device]") {
  require_device();
  DescribedProject project("kernel void k(global int* data) {\n"
                           "  data[get_global_id(0)] += 12345;\n}\n");
  project.description["device"] = "abacus";
  project.description["simulator"] = GPUTEST_SIMULATOR_PROGRAM;
  project.add_case("one", R"({"arguments": {"data": [1, 2, 3, 4]}})");
  const auto covered = [&](const char* wrong, int exit_code, const char* said) {
    const auto result = project.run({"--coverage"}, wrong);
    INFO(result.output);
    CHECK(result.exit_code == exit_code);
    CHECK(contains(result.output, said));
    CHECK(contains(result.output, "the case's coverage is not counted") == (exit_code != 0));
  };
  covered("", 0, "passed: one");
  covered("ABACUS_WRONG=original", 1, "the device's compiler translates the kernel wrongly");
  covered("ABACUS_WRONG=variant", 3, "the device's compiler translates coverage.cl wrongly");
  const std::string text = project.folder.read("coverage.cl");
  project.folder.write("coverage.cl", std::string(text).replace(text.find("12345"), 5, "12340"));
  covered("", 3, "This is an error of gputest");
}

TEST_CASE("differences within the tolerance are no differences, any NaN is as good as another",
          "[needs][needs-device]") {
  require_device();
  auto project = miscompiled("3");
  project.add_case("two", R"({"arguments": {"data": [1, 2, 3, 4], "n": 2},
                              "tolerance": {"absolute": 2}})");
  project.description["test_cases"].erase(2);
  const auto within = project.run({"--coverage"});
  INFO(within.output);
  CHECK(within.exit_code == 0);

  DescribedProject nans("kernel void k(global float* data) {\n"
                        "  data[get_global_id(0)] = as_float(0x7fc00001);\n}\n");
  std::string text = nans.folder.read("coverage.cl");
  text.replace(text.find("0x7fc00001"), 10, "0xffc00002");
  nans.folder.write("coverage.cl", text);
  nans.add_case("nan", R"({"arguments": {"data": [1, 2, 3, "nan"]},
                           "expected": {"data": ["nan", "nan", "nan", "nan"]}})");
  const auto result = nans.run({"--coverage"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
  const auto compared = nans.run({"--compare", "1"});
  INFO(compared.output);
  CHECK(compared.exit_code == 0);
  CHECK(contains(compared.output, "identical: nan"));
}

TEST_CASE("what a kernel does by itself from run to run is not blamed on its coverage",
          "[needs][needs-device][needs-cycles]") {
  require_device();
  // Who comes first depends on the threads, on devices that have several; the time differs always.
  DescribedProject project("kernel void k(global int* data, volatile global ulong* tick) {\n"
                           "  data[get_global_id(0)] = 7;\n"
                           "#ifdef __NV_CL_C_VERSION\n"
                           "  ulong now;\n"
                           "  __asm__ volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(now));\n"
                           "  tick[0] = now;\n"
                           "#else\n"
                           "  tick[0] = (ulong)__builtin_readcyclecounter();\n"
                           "#endif\n}\n");
  project.add_case("time", R"({"arguments": {"data": {"size": 4}, "tick": {"size": 1}}})");
  const auto covered = project.run({"--coverage"});
  INFO(covered.output);
  needs("cycles", covered.exit_code != 3 || !contains(covered.output, "does not build"),
        "the device's compiler has no function that counts cycles");
  CHECK(covered.exit_code == 0);
  CHECK(contains(covered.output, "'tick' varies from run to run, and was not compared"));
  const auto compared = project.run({"--compare", "1"});
  INFO(compared.output);
  CHECK(compared.exit_code == 0);
  CHECK(contains(compared.output, "identical: time"));
  CHECK(contains(compared.output, "'tick' varies from run to run on one side alone"));
}

TEST_CASE("--compare says where, and goes on with the next case", "[needs][needs-device]") {
  require_device();
  const auto result = miscompiled("3").run({"--compare", "1"});
  INFO(result.output);
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "identical: four"));
  CHECK(contains(result.output, "differs: two\n  'data' differs in 2 of 4 values:"));
}

TEST_CASE("--compare of an original that writes out of bounds: the case is at fault, and alone",
          "[needs][needs-device]") {
  require_device();
  DescribedProject project("kernel void k(global int* data, int n) {\n"
                           "  data[get_global_id(0) + n] = 1;\n}\n");
  project.add_case("behind", R"({"arguments": {"data": [1, 2, 3, 4], "n": 2}})");
  project.add_case("inside", R"({"arguments": {"data": [1, 2, 3, 4], "n": 0}})");
  project.add_case("far", R"({"arguments": {"data": [1, 2, 3, 4], "n": -1000}})");
  const auto result = project.run({"--compare", "1"});
  INFO(result.output);
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "invalid case: behind\n  the original is wrong by itself"));
  CHECK(contains(result.output, "wrote 8 bytes past the end of 'data'"));
  CHECK(contains(result.output, "identical: inside"));
}

TEST_CASE("a case that fails fails its coverage as well", "[needs][needs-device]") {
  require_device();
  DescribedProject project(kTwice);
  project.add_case("wrong", R"({"arguments": {"data": [1, 2, 3, 4], "n": 4},
                                "expected": {"data": [0, 0, 0, 0]}})");
  const auto result = project.run({"--coverage"});
  INFO(result.output);
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "failed: wrong"));
}
