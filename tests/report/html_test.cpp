#include "report/coverage/outputs.h"

#include "report/common/findings.h"
#include "tests/catch.h"
#include "tests/report/fixtures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Criterion;

namespace {

std::string page_of(const model::Coverage& coverage, const std::string& source) {
  const TemporaryFolder directory;
  directory.write("k.cl", source);
  return coverage_page(make_report({coverage}, ""), {.roots = {directory.path()}}, "").main;
}

// The row of a line of the first file.
std::string row(const std::string& page, unsigned line) {
  const std::size_t begin = page.find("<tr id=\"f0-L" + std::to_string(line) + "\"");
  REQUIRE(begin != std::string::npos);
  return page.substr(begin, page.find("</tr>", begin) - begin);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

} // namespace

TEST_CASE("A page needs nothing but itself", "[report]") {
  const std::string page = coverage_page(sample_report(), {.roots = {report_data()}}, "").main;
  CHECK(page.find("{{") == std::string::npos);
  CHECK(page.find("http:") == std::string::npos);
  CHECK(page.find("https:") == std::string::npos);
  CHECK(page.find("url(") == std::string::npos);
  CHECK(page.find(" src=") == std::string::npos);
  CHECK(count(page, "<script>") == 1);
  CHECK(page == coverage_page(sample_report(), {.roots = {report_data()}}, "").main);
}

TEST_CASE("Lines say whether they ran, and what is missing on them", "[report]") {
  model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "if", {{"executed", 2}}),
                   site(Criterion::Branch, "if", 1, 5, "a < b", {{"true", 2}, {"false", 0}}),
                   site(Criterion::Statement, "", 2, 3, "x;", {{"executed", 2}}),
                   site(Criterion::Statement, "", 3, 1, "if", {{"executed", 0}}),
                   site(Criterion::Branch, "if", 3, 5, "c", {{"true", 0}, {"false", 0}})});
  coverage.cases.resize(3);
  const std::string page = page_of(coverage, "if (a < b)\n  x;\nif (c)\n  ;\n");
  CHECK_THAT(row(page, 1), ContainsSubstring("class=\"partial\"") &&
                               ContainsSubstring("ran in 2 of 3 test cases") &&
                               ContainsSubstring("branch <code>a &lt; b</code> was never false") &&
                               ContainsSubstring("<span class=\"um\">a &lt; b</span>"));
  CHECK_THAT(row(page, 2), ContainsSubstring("class=\"covered\"") && !ContainsSubstring("note"));
  CHECK_THAT(row(page, 3), ContainsSubstring("class=\"missed\"") && !ContainsSubstring("note"));
  CHECK_THAT(row(page, 4), ContainsSubstring("class=\"none\""));
}

TEST_CASE("A divergent barrier is an error on its line and on the decision's", "[report]") {
  model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "if", {{"executed", 1}}),
                   site(Criterion::Statement, "", 2, 1, "barrier(1);", {{"executed", 1}}),
                   site(Criterion::Barrier, "", 2, 1, "barrier(1)", {{"executed", 1}})});
  coverage.divergent_barriers = {{.barrier = coverage.sites[2].site,
                                  .decision = {.word = 0,
                                               .function = "k",
                                               .file = "k.cl",
                                               .line = 1,
                                               .column = 5,
                                               .text = "a",
                                               .barriers = {}},
                                  .group = 7,
                                  .test_case = "c"}};
  const std::string page = page_of(coverage, "if (a) return;\nbarrier(1);\n");
  CHECK_THAT(row(page, 2), ContainsSubstring("class=\"divergent\"") &&
                               ContainsSubstring("note error") &&
                               ContainsSubstring("work-items of group 7 disagree on &#39;a&#39;"));
  CHECK_THAT(row(page, 1),
             ContainsSubstring("parts the work-items of a group before the barrier at k.cl:2"));
}

TEST_CASE("Loops show their four cases", "[report]") {
  const model::Coverage coverage = coverage_of(
      {site(Criterion::Loop, "do", 1, 1, "do", {{"one", 0}, {"many", 2}, {"boundary", 0}})});
  CHECK_THAT(row(page_of(coverage, "do {} while (a);"), 1),
             ContainsSubstring("class=\"na\" title=\"cannot run zero times\"") &&
                 ContainsSubstring("class=\"no\" title=\"never ran exactly once\"") &&
                 ContainsSubstring("class=\"yes\" title=\"ran more than once\"") &&
                 ContainsSubstring("class=\"no\" title=\"never ran to its boundary\""));
}

TEST_CASE("A source nobody has is listed site by site", "[report]") {
  const model::Coverage coverage =
      coverage_of({site(Criterion::Branch, "if", 7, 5, "a < b", {{"true", 1}, {"false", 0}})});
  const std::string page =
      coverage_page(make_report({coverage}, ""), {.roots = {"/no/such"}}, "").main;
  CHECK_THAT(page,
             ContainsSubstring("The source of <code>k.cl</code> was not found") &&
                 ContainsSubstring("<td>7:5</td><td>branch</td><td><code>a &lt; b</code></td>") &&
                 ContainsSubstring("<span class=\"outcome no\">false: 0</span>"));
}

TEST_CASE("A source that became shorter is noticed", "[report]") {
  const model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 9, 1, "x;", {{"executed", 1}})});
  CHECK_THAT(page_of(coverage, "x;\n"),
             ContainsSubstring("has 1 lines now, but line 9 was measured"));
}

TEST_CASE("A message of several lines keeps them", "[report]") {
  model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "x;", {{"executed", 1}})});
  coverage.cases = {
      {.name = "a",
       .verdict = model::CaseVerdict::Failed,
       .message = "2 differ:\n  <x>\n  y",
       .seconds = 0},
      {.name = "b", .verdict = model::CaseVerdict::Crashed, .message = "SIGSEGV", .seconds = 0},
      {.name = "c", .verdict = model::CaseVerdict::Timeout, .message = "", .seconds = 0}};
  const std::string page = page_of(coverage, "x;");
  CHECK_THAT(page, ContainsSubstring("failed: 2 differ:<pre>  &lt;x&gt;\n  y</pre></li>") &&
                       ContainsSubstring("crashed: SIGSEGV</li>") &&
                       ContainsSubstring("timeout</li>"));
}

TEST_CASE("Whatever names and sources hold, the page's structure is its own", "[report]") {
  const std::string hostile = "</code></script><script>alert(1)</script>\" onload='x' {{css}} \xFF";
  model::Coverage coverage =
      coverage_of({site(Criterion::Branch, "if", 1, 4, hostile, {{"true", 1}, {"false", 0}}),
                   site(Criterion::Loop, hostile, 1, 4, hostile, {{"zero", 1}, {hostile, 0}}),
                   site(Criterion::Statement, hostile, 2, 1, hostile, {{hostile, 0}})});
  coverage.kernel = coverage.name = coverage.device = coverage.source = hostile;
  coverage.sites[2].site.file = coverage.sites[2].site.function = hostile;
  coverage.cases = {
      {.name = hostile, .verdict = model::CaseVerdict::Failed, .message = hostile, .seconds = 0}};
  coverage.not_instrumented = {{.file = hostile,
                                .line = 4000000000,
                                .column = 0,
                                .function = hostile,
                                .construct = hostile,
                                .reason = hostile}};
  const std::string page = page_of(coverage, hostile + "\n/* " + hostile);
  CHECK(count(page, "<script>") == 1);
  CHECK(count(page, "</script>") == 1);
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(page.find("onload='x'") == std::string::npos);
  CHECK(page.find('\xFF') == std::string::npos);
  CHECK(std::ranges::count(page, '\0') == 0);
}

TEST_CASE("A missed threshold is said on the page", "[report]") {
  model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "x;", {{"executed", 1}}),
                   site(Criterion::Branch, "if", 1, 1, "x", {{"true", 1}, {"false", 0}})});
  coverage.cases = {
      {.name = "c", .verdict = model::CaseVerdict::Passed, .message = "", .seconds = 0}};
  CHECK(page_of(coverage, "x;\n").find("missed</span>") == std::string::npos);
  coverage.thresholds.percent[Criterion::Branch] = 80;
  const std::string page = page_of(coverage, "x;\n");
  CHECK_THAT(page, ContainsSubstring("1 test case, 1 passed · <span class=\"failed\">1 threshold "
                                     "missed</span>"));
  CHECK_THAT(page, ContainsSubstring("branch coverage is 50 %, below the threshold of 80 %"));
  CHECK_THAT(terminal(make_report({coverage}, ""), false),
             ContainsSubstring("k: error: branch coverage is 50 %, below the threshold of 80 %"));
  CHECK(model::coverage_from_json(model::to_json(coverage)).thresholds.percent ==
        coverage.thresholds.percent);
  // The bar beside a file is that of the worst criterion.
  CHECK_THAT(page, ContainsSubstring("<span class=\"name\">k.cl</span><span class=\"bar poor\""));
}

TEST_CASE("SARIF of coverage tells what is missing", "[report]") {
  const std::string text = coverage_sarif(sample_report(), {.roots = {report_data()}});
  const auto log = nlohmann::json::parse(text);
  std::size_t notes = 0, errors = 0;
  for (const auto& result : log["runs"][0]["results"]) {
    notes += result["level"] == "note" ? 1 : 0;
    errors += result["level"] == "error" ? 1 : 0;
  }
  CHECK(errors == 2); // a failed case, and the divergent barrier
  const auto missing = std::ranges::count(findings_of(sample_report().all), Severity::Missing,
                                          &CoverageFinding::severity);
  CHECK(notes == static_cast<std::size_t>(missing));
}
