#include "report/common/findings.h"
#include "report/common/inputs.h"
#include "report/coverage/report.h"
#include "tests/catch.h"
#include "tests/report/fixtures.h"

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Criterion;

namespace {

std::vector<std::string> sentences(const model::Coverage& coverage) {
  std::vector<std::string> result;
  for (const CoverageFinding& finding : findings_of(coverage))
    result.push_back(std::to_string(finding.line) + ":" + std::to_string(finding.column) + " " +
                     sentence(finding));
  return result;
}

} // namespace

TEST_CASE("Runs of one kernel merge, kernels stay apart", "[report]") {
  const Report report = sample_report();
  REQUIRE(report.kernels.size() == 3);
  CHECK(label_of(report.kernels[0]) == "classify");
  CHECK(label_of(report.kernels[2]) == "reduce (reduce, reduce_large)");
  CHECK(report.kernels[2].cases.size() == 6);
  const model::Criteria reduce = model::tally(report.kernels[2]);
  CHECK(reduce.statement.covered == 17); // 16 in each run; only the second leaves early
  CHECK(reduce.statement.total == 21);
  CHECK(reduce.loop.zero == 2);
  CHECK(reduce.barrier.covered == 1);
  CHECK(report.title == "Coverage of 3 kernels");
}

TEST_CASE("Code that two kernels share counts once in all", "[report]") {
  const auto shared = site(Criterion::Statement, "", 1, 1, "x;", {{"executed", 1}});
  model::Coverage first = coverage_of({shared}), second = first;
  second.kernel = second.name = "other";
  const Report report = make_report({first, second}, "t");
  CHECK(report.kernels.size() == 2);
  REQUIRE(report.all.sites.size() == 1);
  CHECK(report.all.sites.front().hits.front() == 2);
  CHECK(report.title == "t");
}

TEST_CASE("Every kind of missing outcome has its sentence", "[report]") {
  const model::Coverage coverage = coverage_of(
      {site(Criterion::Statement, "", 1, 1, "x = 1;", {{"executed", 0}}),
       site(Criterion::Branch, "if", 2, 5, "a < b", {{"true", 1}, {"false", 0}}),
       site(Criterion::Branch, "if", 3, 5, "c", {{"true", 0}, {"false", 0}}),
       site(Criterion::Branch, "switch", 4, 1, "case 2", {{"taken", 0}}),
       site(Criterion::Condition, "", 5, 1, "d", {{"true", 0}, {"false", 3}}),
       site(Criterion::Loop, "for", 6, 1, "for (;i < n;)",
            {{"zero", 0}, {"one", 0}, {"many", 0}, {"boundary", 1}}),
       site(Criterion::Loop, "do", 7, 1, "do", {{"one", 1}, {"many", 1}, {"boundary", 0}}),
       site(Criterion::Loop, "while", 8, 1, "while (e)", {{"zero", 0}, {"one", 0}}),
       site(Criterion::Barrier, "", 9, 1, "barrier(1)", {{"executed", 0}})});
  CHECK(sentences(coverage) ==
        std::vector<std::string>{
            "1:1 statement 'x = 1;' was never executed", "2:5 branch 'a < b' was never false",
            "3:5 branch 'c' was never evaluated", "4:1 label 'case 2' was never taken",
            "5:1 condition 'd' was never true", "6:1 loop 'for (;i < n;)' never ran zero times",
            "6:1 loop 'for (;i < n;)' never ran exactly once",
            "6:1 loop 'for (;i < n;)' never ran more than once",
            "7:1 loop 'do' never ended by its own condition",
            "8:1 loop 'while (e)' was never reached",
            "9:1 barrier 'barrier(1)' was never executed by all work-items of a group"});
}

TEST_CASE("A barrier that diverges often is told once for each decision", "[report]") {
  model::Coverage coverage =
      coverage_of({site(Criterion::Barrier, "", 9, 3, "barrier(1)", {{"executed", 0}})});
  model::DivergentBarrier divergent{.barrier = coverage.sites[0].site,
                                    .decision = {.word = 0,
                                                 .function = "k",
                                                 .file = "k.cl",
                                                 .line = 4,
                                                 .column = 7,
                                                 .text = "gid >= n",
                                                 .barriers = {}},
                                    .group = 3,
                                    .test_case = "short"};
  coverage.divergent_barriers = {divergent, divergent, divergent};
  coverage.divergent_barriers[2].decision.line = 5;
  CHECK(sentences(coverage) ==
        std::vector<std::string>{
            "9:3 barrier 'barrier(1)' is divergent: work-items of group 3 disagree on 'gid >= n' "
            "(k.cl:4:7) in case 'short', and 1 more time",
            "9:3 barrier 'barrier(1)' is divergent: work-items of group 3 disagree on 'gid >= n' "
            "(k.cl:5:7) in case 'short'"});
  CHECK(findings_of(coverage).front().severity == Severity::Error);
}

TEST_CASE("Directories are searched, files met twice count once", "[report]") {
  const TemporaryFolder directory;
  const auto b = directory.write("b/coverage.json", "{}"),
             a = directory.write("a/x/coverage.json", "{}");
  directory.write("a/test.json", "{}");
  CHECK(find_inputs(model::analyses(), {directory.path().string(), b.string()}).at(0).files ==
        std::vector<std::filesystem::path>{a, b});
}

TEST_CASE("Input that is no coverage is named", "[report]") {
  const TemporaryFolder directory;
  CHECK_THROWS_WITH(
      find_inputs(model::analyses(), {}),
      ContainsSubstring(
          "no coverage.json, mutation.json, schedules.json, check.json or memory.json given"));
  CHECK_THROWS_WITH(find_inputs(model::analyses(), {"/no/such"}),
                    StartsWith("/no/such: error: no such file"));
  CHECK_THROWS_WITH(find_inputs(model::analyses(), {directory.path().string()}),
                    ContainsSubstring("no coverage.json, mutation.json, schedules.json, check.json "
                                      "or memory.json in this directory"));
  const auto malformed = directory.write("malformed.json", "{\"format\": ");
  CHECK_THROWS_WITH(read_report({malformed}, ""),
                    StartsWith(malformed.string() + ": error: not JSON"));
  const auto other = directory.write("other.json", R"({"format": "gputest-sites-1"})");
  CHECK_THROWS_WITH(read_report({other}, ""), ContainsSubstring("format is 'gputest-sites-1'"));
  const auto empty =
      directory.write("empty.json",
                      R"({"format": "gputest-coverage-1", "kernel": "k", "device": "d", "sites": [],
                                         "divergent_barriers": [], "not_instrumented": [], "cases": []})");
  CHECK_THROWS_WITH(read_report({empty}, ""),
                    StartsWith(empty.string() + ": error: no coverage in it"));
}
