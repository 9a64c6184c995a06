// A made-up kind of programs (script/program.h) under each analysis, with the engines that all
// kinds share.
#include "tests/program/script/program.h"

#include "model/checks/results.h"
#include "model/files.h"
#include "model/suppressions/suppressions.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::program;
using model::Verdict;

namespace {

// The lines 6 to 10 are sites. The program notices a change of line 6, and does not look at what it
// reads back when line 7 is changed, or line 8 in another order. It never runs line 10. A change of
// line 9 makes a race that only the check sees.
constexpr const char* kScript = R"(#!/bin/sh
# gputest
echo "launch sum"; echo "launch sum"; [ "$VARIANT" = check ] || echo "launch scale"
sum=1; scale=2
[ "$VARIANT $CHECKS" != "check races bounds" ] || { echo "finding race 6"; echo "finding race 6"; }
echo "covers 6"; [ "$MUTANT" != 6 ] || exit 3 # site
echo "covers 7"; [ "$MUTANT" != 7 ] || sum=5 # site
echo "covers 8"; [ "$MUTANT $ORDER" != "8 reversed" ] || scale=7 # site
echo "covers 9"; [ "$CHECKS $MUTANT" != "races 9" ] || echo "finding race 9" # site
false && echo "covers 10" # site
case "$KERNELS $ORDER" in *script.sum*reverse*) sum=9;; esac
echo "read $sum"; echo "read $scale"
exit ${FAILS:-0}
)";

class Script {
public:
  explicit Script(const std::string& fails = "") {
    folder_.write("script", kScript);
    const std::filesystem::path file = folder_.path() / "script";
    std::filesystem::create_directories(folder_.path() / "results");
    ProgramTask task{.name = "script",
                     .output = folder_.path() / "results",
                     .executable = file,
                     .source_root = folder_.path()};
    task.child.command = {"sh", file.string()};
    if (!fails.empty())
      task.child.environment["FAILS"] = fails;
    const std::array kinds{tests::script_kind(), ProgramKind{.name = "any", .title = "any"}};
    program_ = kind_of(kinds, file).open(std::move(task), {}, nullptr);
  }
  TestedProgram& program() { return *program_; }
  std::filesystem::path result(const std::string& name) const {
    return folder_.path() / "results" / name;
  }

private:
  tests::TemporaryFolder folder_;
  std::unique_ptr<TestedProgram> program_;
};

} // namespace

TEST_CASE("A program is of the first kind that recognises its file") {
  const tests::TemporaryFolder folder;
  const std::array kinds{tests::script_kind(), ProgramKind{.name = "any", .title = "any"}};
  CHECK(kind_of(kinds, folder.write("a", kScript)).name == "script");
  CHECK(kind_of(kinds, folder.write("b", "#!/bin/sh\n")).name == "any");
  CHECK(kind_of(kinds, folder.path() / "none").name == "any");
}

TEST_CASE("Coverage of a made-up kind of program is written for each kernel") {
  Script script;
  const CoverageRun run = run_coverage(script.program(), {});
  CHECK(run.judged.passes());
  REQUIRE(run.files.size() == 2);
  const model::Coverage sum = model::read_coverage(script.result("script.sum/coverage.json"));
  REQUIRE(sum.sites.size() == 5);
  CHECK(sum.sites[3].hits == std::vector<std::uint64_t>{1});
  CHECK(sum.sites[4].hits == std::vector<std::uint64_t>{0});
  const auto json = nlohmann::json::parse(model::read_text(script.result("run.json")).value());
  CHECK(json["kernels"].size() == 2);
  CHECK(json["kernels"][1]["launches"] == 2);
  CHECK(json["kernels"][1]["results"] == "script.sum/coverage.json");
  // A failure is that of the program, and what an earlier run has left is not taken for this one's.
  std::filesystem::create_directories(script.result("script.old"));
  std::filesystem::copy_file(run.files[0], script.result("script.old/coverage.json"));
  run_coverage(script.program(), {});
  CHECK_FALSE(std::filesystem::exists(script.result("script.old")));
  Script failing("4");
  CHECK(run_coverage(failing.program(), {}).judged.problem == "exit code 4");
}

TEST_CASE("The checks of a made-up kind of program are sorted by kernel, and may be suppressed") {
  Script script;
  const std::vector<std::string> checks{"races", "bounds"};
  model::Suppressions none({script.result("")});
  const CheckRun run = run_checks(script.program(), checks, none);
  CHECK(run.launches == 2);
  CHECK(run.findings == 1);
  const model::CheckResults results =
      model::read_check_results(script.result("script.sum/check.json"));
  REQUIRE(results.findings.size() == 1);
  CHECK(results.findings[0].finding.count == 2);
  CHECK(results.findings[0].replay.empty());
  CHECK(results.cases[0].verdict == model::CaseVerdict::Passed);
  CHECK(run_checks(script.program(), {"bounds"}, none).findings == 0);
  model::write_atomically(script.result("accepted"),
                          "[race]\nfile = script\nreason = it is made up\n");
  model::Suppressions accepted({script.result("")}, script.result("accepted"));
  const CheckRun suppressed = run_checks(script.program(), checks, accepted);
  CHECK(suppressed.findings == 0);
  CHECK(suppressed.suppressed == 1);
}

TEST_CASE(
    "The mutants of a made-up kind of program run in other orders and under the check for races") {
  Script script;
  const auto run = [&](const model::Oracle& oracle, bool checks_races = false) {
    MutationSettings settings;
    settings.wanted.operators = {"line"};
    settings.checks_races = checks_races;
    const auto mutants = script.program().mutants(settings);
    const MutatedRuns runs = run_mutants(*mutants,
                                         {.name = "script",
                                          .oracle = oracle,
                                          .folder = script.result("mutants"),
                                          .store = script.result("results.db"),
                                          .jobs = 2,
                                          .fresh = true},
                                         [](std::size_t, const model::MutantResult&, bool) {});
    return runs.sources.at(0).results;
  };
  const std::vector<model::MutantResult> results = run({});
  REQUIRE(results.size() == 5);
  CHECK(results[0].verdict == Verdict::Killed);
  CHECK(is_weak(results[1]));
  CHECK(is_weak(results[2]));
  CHECK(results[2].detail.ends_with("(work-groups and work-items reversed)"));
  CHECK(results[3].verdict == Verdict::Survived);
  CHECK_FALSE(is_weak(results[3]));
  const std::vector<model::MutantResult> judged = run({.reads = true});
  CHECK(judged[1].verdict == Verdict::Killed);
  CHECK(judged[2].verdict == Verdict::Killed);
  CHECK(judged[3].verdict == Verdict::Survived);
  const std::vector<model::MutantResult> checked = run({.reads = true}, true);
  CHECK(checked[3].verdict == Verdict::Killed);
  CHECK(checked[3].reason == model::KillReason::Race);
  CHECK(checked[3].detail == "in the simulator: script:9: found");
  CHECK(checked[4].verdict == Verdict::Survived);
}

TEST_CASE("Schedules of a made-up kind of program find the kernel that depends on an order") {
  Script script;
  ScheduleSettings settings;
  settings.strategy = "reverse";
  const ProgramSchedules found = run_schedules(script.program(), settings);
  REQUIRE(found.kernels.size() == 2);
  CHECK(found.kernels[0].schedules.cases[0].verdict == model::ScheduleVerdict::Held);
  const model::ScheduledCase& sum = found.kernels[1].schedules.cases[0];
  CHECK(sum.verdict == model::ScheduleVerdict::OrderDependent);
  REQUIRE_FALSE(found.kernels[1].files.empty());
  CHECK(found.reads == 2);
  CHECK(found.runs > 2);
  // The file of the finding shows it again.
  const model::Schedule& schedule = found.kernels[1].files[0].second;
  CHECK_FALSE(replay_schedule(script.program(), settings, schedule, 1).scheduled.findings.empty());
}
