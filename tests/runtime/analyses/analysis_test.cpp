// What every analysis must have, and a made-up one: a folder and a row.
#include "model/settings.h"
#include "tests/catch.h"
#include "tests/runtime/device_fixture.h"
#include "tests/runtime/larger_registry.h"

#include <set>

namespace gputest::runtime {

using tests::ContainsSubstring;

TEST_CASE("every analysis has a row that runs it, and none has two") {
  const Registry all = registry();
  std::set<std::string_view> names;
  for (const AnalysisRun& row : all.runs) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK((row.run || row.prepare)); // without the first, the default analysis runs
    CHECK((row.variant == nullptr) == row.comparison.empty());
  }
  CHECK(run_of(all, all.analyses.front()).run);
  for (const model::Analysis& analysis : all.analyses) {
    INFO(analysis.name);
    CHECK(run_of(all, analysis).name == analysis.name);
    CHECK((run_of(all, analysis).variant == nullptr) == analysis.variant.text.empty());
  }
}

TEST_CASE("a made-up analysis is known by its row") {
  const model::KernelInterface kernel =
      tests::kernel_interface("k", {tests::pointer("data", tests::kInt, true)});
  tests::HarnessProject project("__kernel void k(__global int* data) {}", kernel);
  project.add_case("one", R"({"arguments": {"data": {"size": 4}}})");
  project.add_case("two", R"({"arguments": {"data": {"size": 4}}})");

  const auto counted = project.run({"--tally"});
  CHECK(counted.exit_code == 0);
  CHECK_THAT(counted.output, ContainsSubstring("2 of 5 cases"));
  CHECK(project.folder.read("tally.json") == "2\n");
  CHECK(project.run({"--tally", "1"}).exit_code == 1);
  CHECK(project.run({"--tally", "--at-most", "1"}).exit_code == 1);
  CHECK_THAT(project.run({"--tally", "--at-most", "0"}).output,
             ContainsSubstring("AT_MOST (--at-most): '0' is not a whole number, at least 1"));
  CHECK_THAT(project.run({"--at-most", "3"}).output, ContainsSubstring("--at-most is for --tally"));
  CHECK_THAT(project.run({"--tally", "--coverage"}).output,
             ContainsSubstring("exclude each other"));
  CHECK_THAT(project.run({"--help"}).output, ContainsSubstring("fail where there are more cases"));
  project.description["settings"] = {{"tally.at-most", "1"}};
  CHECK(project.run({"--tally"}).exit_code == 1);
  CHECK(project.run({"--tally", "2"}).exit_code == 0);
}

} // namespace gputest::runtime
