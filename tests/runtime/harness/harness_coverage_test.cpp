#include "model/coverage.h"
#include "model/sites.h"
#include "tests/catch.h"
#include "tests/runtime/device_fixture.h"

using namespace gputest;
using namespace gputest::tests;
using model::Criterion;

namespace {

// An instrumented kernel as the coverage pass would write it, by hand.
constexpr const char* kInstrumented = R"(
kernel void twice(global int* data, int n, global uint* gputest_state) {
  int i = get_global_id(0);
  uint bits = 0;
  if (i < n) { bits |= 1; data[i] *= 2; } else bits |= 2;
#ifdef GPUTEST_FLUSH_SLOTS
  if (gputest_state[6] != 0) { gputest_state[gputest_state[6] + get_global_id(0)] = bits; return; }
#endif
  atomic_or(&gputest_state[gputest_state[2]], bits);
  if (n == 77) gputest_state[gputest_state[4]] = 1 + get_group_id(0);
}
)";

model::SiteTable site_table() {
  model::SiteTable table;
  table.source = "kernel.cl";
  table.coverage_words = 1;
  table.divergence_words = 1;
  table.kernels = {{"twice", {"twice"}, false}};
  table.sites = {{"b",
                  Criterion::Branch,
                  "if",
                  "twice",
                  "kernel.cl",
                  3,
                  7,
                  3,
                  12,
                  "i < n",
                  {{"true", 0}, {"false", 1}}},
                 {"w",
                  Criterion::Barrier,
                  "",
                  "twice",
                  "kernel.cl",
                  4,
                  3,
                  4,
                  20,
                  "barrier(0)",
                  {{"executed", 0}}}};
  table.votes = {{0, "twice", "kernel.cl", 3, 7, "i < n", {"w"}}};
  return table;
}

HarnessProject project_of(model::SiteTable table = site_table()) {
  HarnessProject project(
      "kernel void twice(global int* data, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < n) data[i] *= 2;\n}\n",
      kernel_interface("twice", {pointer("data", kInt, true), by_value("n", kInt)}));
  project.folder.write("coverage.cl", kInstrumented);
  model::write_site_table(table, project.folder.path() / "sites.json");
  project.add_case(
      "all",
      R"({"arguments": {"data": [1, 2, 3, 4], "n": 4}, "expected": {"data": [2, 4, 6, 8]}})");
  return project;
}

void add_part(HarnessProject& project) {
  project.add_case("part", R"({"arguments": {"data": [1, 2, 3, 4], "n": 2}})");
}

} // namespace

TEST_CASE("what is missing is reported, counted and kept", "[needs][needs-device]") {
  require_device();
  auto project = project_of();
  const auto result = project.run({"--coverage"});
  CHECK(result.exit_code == 0);
  CHECK(contains(result.output, "kernel.cl:3:7: note: branch 'i < n' was never false"));
  const model::Coverage coverage = model::read_coverage(project.folder.path() / "coverage.json");
  CHECK(coverage.kernel == "twice");
  CHECK(coverage.name == "fixture");
  CHECK(coverage.device == runtime::choose_device("").name);
  CHECK(coverage.sites.at(0).hits == std::vector<std::uint64_t>{1, 0});
  REQUIRE(coverage.cases.size() == 1);
  CHECK(coverage.cases[0].verdict == model::CaseVerdict::Passed);
}

TEST_CASE("hits of several cases add up, and thresholds decide the exit code",
          "[needs][needs-device]") {
  require_device();
  auto project = project_of();
  project.description["settings"] = {{"coverage.branch", "100"}};
  const auto missed = project.run({"--coverage"});
  CHECK(missed.exit_code == 1);
  CHECK(contains(missed.output, "error: branch coverage is 50.0 % (1 of 2), 100 % are required"));
  add_part(project);
  CHECK(project.run({"--coverage"}).exit_code == 0);
  const model::Coverage coverage = model::read_coverage(project.folder.path() / "coverage.json");
  CHECK(coverage.sites.at(0).hits == std::vector<std::uint64_t>{2, 1});
}

TEST_CASE("slots give the same hits", "[needs][needs-device]") {
  require_device();
  model::SiteTable table = site_table();
  table.kernels[0].straight_line = true;
  auto project = project_of(table);
  add_part(project);
  CHECK(project.run({"--coverage"}).exit_code == 0);
  const model::Coverage coverage = model::read_coverage(project.folder.path() / "coverage.json");
  CHECK(coverage.sites.at(0).hits == std::vector<std::uint64_t>{2, 1});
}

TEST_CASE("a divergent barrier is an error with its place", "[needs][needs-device]") {
  require_device();
  auto project = project_of();
  project.add_case("divergent", R"({"arguments": {"data": [1, 2, 3, 4], "n": 77}})");
  const auto result = project.run({"--coverage"});
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "kernel.cl:4:3: error: divergent barrier: work-items of group "));
  CHECK(contains(result.output, " parted at kernel.cl:3 'i < n' in case 'divergent'"));
  const model::Coverage coverage = model::read_coverage(project.folder.path() / "coverage.json");
  REQUIRE(coverage.divergent_barriers.size() == 1);
  CHECK(coverage.divergent_barriers[0].test_case == "divergent");
}

TEST_CASE("wrong outputs fail", "[needs][needs-device]") {
  require_device();
  auto project = project_of();
  project.add_case(
      "bad",
      R"({"arguments": {"data": [1, 2, 3, 4], "n": 2}, "expected": {"data": [0, 0, 0, 0]}})");
  const auto result = project.run({"--coverage"});
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "failed: bad"));
}

TEST_CASE("a hang costs only its own case", "[needs][needs-device]") {
  require_device();
  auto project = project_of();
  project.add_case("hang", R"({"arguments": {"data": [1, 2, 3, 4], "n": 2}})");
  project.folder.write("coverage.cl", R"(
kernel void twice(global int* data, int n, global uint* gputest_state) {
  volatile global int* p = data;
  while (n == 2 && p[0] != 99) p[1] = 0;
  data[get_global_id(0)] *= 2;
  atomic_or(&gputest_state[gputest_state[2]], 1u);
}
)");
  const auto result = project.run({"--coverage", "--timeout", "2"});
  CHECK(result.exit_code == 1);
  CHECK(contains(result.output, "timeout: hang"));
  CHECK(contains(result.output, "note: what case 'hang' executed is not known (timeout): nothing "
                                "of it counts as covered"));
  const model::Coverage coverage = model::read_coverage(project.folder.path() / "coverage.json");
  CHECK(coverage.sites.at(0).hits == std::vector<std::uint64_t>{1, 0});
  CHECK(coverage.cases.at(1).verdict == model::CaseVerdict::Timeout);
}

TEST_CASE("the device's macros are compared with those assumed", "[needs][needs-device]") {
  require_device();
  model::SiteTable table = site_table();
  table.device_macros = {{"__OPENCL_VERSION__", "1", "kernel.cl", 1},
                         {"no_such_macro", std::nullopt, "kernel.cl", 2}};
  auto project = project_of(table);
  const auto without = project.run({"--coverage"}, "GPUTEST_DRIVER=/no/such/gputest");
  CHECK(without.exit_code == 3);
  CHECK(contains(without.output, "/no/such/gputest is not the gputest command"));

  // A driver that is told what the device said, and copies what is there.
  const auto driver = project.folder.write("driver.sh", R"(#!/bin/sh
here=$(dirname "$0")
echo "$@" >> "$here/calls.txt"
while [ $# -gt 0 ]; do
  case "$1" in --output-dir) out=$2;; --depfile) dep=$2;; esac
  shift
done
cp "$here/coverage.cl" "$here/sites.json" "$out"
echo "coverage.cl: $here/kernel.cl" > "$dep"
)");
  std::filesystem::permissions(driver, std::filesystem::perms::owner_all);
  project.description["driver"] = driver.string();
  CHECK(project.run({"--coverage"}).exit_code == 0);
  const std::string calls = project.folder.read("calls.txt");
  CHECK(contains(calls, "--device-macro __OPENCL_VERSION__="));
  CHECK_FALSE(contains(calls, "__OPENCL_VERSION__=1 "));
  CHECK(contains(calls, "--no-device-macro no_such_macro"));
  CHECK(project.run({"--coverage"}).exit_code == 0);
  CHECK(project.folder.read("calls.txt") == calls); // cached
}

TEST_CASE("a variant that does not build: exit 3 and the log", "[needs][needs-device]") {
  require_device();
  auto project = project_of();
  project.folder.write("coverage.cl",
                       "kernel void twice(global int* data, int n, global uint* s) { nonsense; }");
  const auto result = project.run({"--coverage"});
  CHECK(result.exit_code == 3);
  CHECK(contains(result.output, "coverage.cl: error: does not build for"));
  CHECK(contains(result.output, "nonsense"));
}

TEST_CASE("missing or malformed files of the variant: exit 2", "[needs][needs-device]") {
  require_device();
  auto project = project_of();
  project.folder.write("sites.json", "{");
  const auto malformed = project.run({"--coverage"});
  CHECK(malformed.exit_code == 2);
  CHECK(contains(malformed.output, "sites.json"));
  std::filesystem::remove(project.folder.path() / "coverage.cl");
  model::write_site_table(site_table(), project.folder.path() / "sites.json");
  CHECK(contains(project.run({"--coverage"}).output, "coverage.cl: error: cannot be read"));
}
