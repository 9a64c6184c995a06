#include "report/schedules/report.h"

#include "report/common/inputs.h"
#include "tests/catch.h"
#include "tests/report/command.h"
#include "tests/report/fixtures.h"

#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;

namespace {

// A kernel that holds, one with a finding of which all names are hostile, and one that was not
// tested.
SchedulesReport sample_schedules() {
  model::ScheduledCase held, tolerated, broken;
  held.name = "small";
  held.schedules = 10;
  held.runs = 34;
  tolerated = held;
  tolerated.name = "sums";
  tolerated.verdict = model::ScheduleVerdict::WithinTolerance;
  broken.name = "<b>\"large\"</b>";
  broken.verdict = model::ScheduleVerdict::OrderDependent;
  broken.schedules = 3;
  broken.runs = 12;
  broken.seconds = 0.25;
  model::ScheduleFinding finding;
  finding.kind = model::FindingKind::Waits;
  finding.message = "a work-item waits & waits";
  finding.buffer = "out<int>";
  finding.differing = 2;
  finding.compared = 8;
  finding.elements = {{.index = 2, .path = ".s0", .launched = "1", .scheduled = "nan"}};
  finding.order = "serial, groups listed";
  finding.groups = {1, 0};
  finding.file = "schedules/large-1.json";
  finding.place_file = "dir with spaces/k.cl";
  finding.place_text = "while (a < b)";
  finding.line = 7;
  finding.column = 3;
  broken.findings = {finding};

  SchedulesReport report;
  report.title = "Schedules of 3 kernels";
  report.kernels.resize(3);
  const auto fill = [&](std::size_t i, const std::string& name,
                        std::vector<model::ScheduledCase> cases) {
    model::Schedules& schedules = report.kernels[i].schedules;
    schedules.name = name;
    schedules.kernel = "k";
    schedules.device = "a device";
    schedules.source = "k.cl";
    schedules.strategy = "permute";
    schedules.cases = std::move(cases);
    report.kernels[i].folder = "build/gputest/" + name;
  };
  fill(0, "good", {held, tolerated});
  fill(1, "bad", {held, broken});
  fill(2, "untested", {});
  report.kernels[2].schedules.not_remapped = {{.file = "k.cl",
                                               .line = 3,
                                               .column = 1,
                                               .function = "k",
                                               .construct = "inline assembly",
                                               .reason = "what it reads is unknown"}};
  report.kernels[2].schedules.notes = {"a note"};
  return report;
}

} // namespace

TEST_CASE("What holds and what does not", "[report]") {
  const SchedulesReport report = sample_schedules();
  CHECK(holds(report.kernels[0].schedules));
  CHECK_FALSE(holds(report.kernels[1].schedules));
  CHECK_FALSE(holds(report.kernels[2].schedules)); // nothing was tested
}

TEST_CASE("Every form of a report of schedules is as expected", "[report]") {
  const SchedulesReport report = sample_schedules();
  check_golden("schedules.txt", schedules_terminal(report, false));
  check_golden("schedules.html", schedules_html(report));
  check_golden("schedules.junit.xml", schedules_junit(report));
  check_golden("schedules.sarif", schedules_sarif(report, {.roots = {"."}}));
}

TEST_CASE("gputest report reads schedules.json", "[report]") {
  const TemporaryFolder directory;
  model::write_schedules(sample_schedules().kernels[1].schedules,
                         directory.path() / "schedules.json");
  const auto file = [&](const char* name) { return (directory.path() / name).string(); };
  const Result result =
      run_report({directory.path().string(), "--html", file("r.html"), "--sarif", file("r.sarif"),
                  "--junit", file("r.xml"), "--json", file("r.json"), "--title", "T"});
  CHECK(result.code == 0);
  CHECK_THAT(result.out, ContainsSubstring("k (bad)"));
  CHECK_THAT(read_file(file("r.html")), ContainsSubstring("waits &amp; waits"));
  CHECK(nlohmann::json::parse(read_file(file("r.sarif")))["runs"][0]["results"].size() == 1);
  CHECK(nlohmann::json::parse(read_file(file("r.json")))["kernels"].size() == 1);
  for (const char* option : {"--lcov", "--cobertura", "--threshold"})
    CHECK(run_report({directory.path().string(), option, "x"}).code == 2);
  directory.write("coverage.json", R"({"format": "gputest-coverage-1"})");
  const Result mixed = run_report({file("coverage.json"), file("schedules.json")});
  CHECK(mixed.code == 2); // the other one is none
  CHECK_THAT(mixed.err, ContainsSubstring("coverage.json: error: key 'kernel' is missing"));
  directory.write("broken.json", R"({"format": "gputest-schedules-1", "name": 3})");
  CHECK(run_report({file("broken.json")}).code == 2);
}
