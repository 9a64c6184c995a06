#include "report/check/report.h"

#include "report/common/annotations.h"
#include "report/common/inputs.h"
#include "tests/catch.h"
#include "tests/report/command.h"
#include "tests/report/fixtures.h"

#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;

namespace {

const SourceTree& sources() {
  static const SourceTree tree{.roots = {report_data() / "kernels"}};
  return tree;
}

CheckReport sample_checks() {
  return read_check_report({report_data() / "kinds" / "turn" / "check.json",
                            report_data() / "kinds" / "sum" / "check.json"},
                           sources(), "");
}

} // namespace

TEST_CASE("A case holds where it ran without findings", "[report]") {
  const CheckReport report = sample_checks();
  REQUIRE(report.kernels.size() == 2); // in order of name
  const model::CheckResults &sum = report.kernels[0].results, &turn = report.kernels[1].results;
  CHECK(label_of(sum) == "add (sum)");
  CHECK(holds(sum));
  CHECK_FALSE(holds(turn));
  CHECK_FALSE(holds(turn.cases[0])); // findings
  CHECK(holds(turn.cases[1]));
  CHECK_FALSE(holds(turn.cases[2]));         // not proved
  CHECK_FALSE(holds(model::CheckResults{})); // nothing was checked
}

TEST_CASE("Findings of one cause are told together", "[report]") {
  const CheckReport report = sample_checks();
  const auto groups = by_cause(report.kernels[1].results.findings);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].first->finding.site.line == 9);
  CHECK(groups[0].others.size() == 1);
  CHECK(groups[1].others.empty());
}

TEST_CASE("Every form of a report of checks is as expected", "[report]") {
  CheckReport report = sample_checks();
  for (CheckedKernel& kernel : report.kernels)
    kernel.folder = "build/gputest/" + kernel.results.name;
  check_golden("check.txt", check_terminal(report, false));
  check_golden("check.html", check_html(report, sources()));
  check_golden("check.junit.xml", check_junit(report));
  check_golden("check.sarif", check_sarif(report, SourceTree{.roots = {"."}}));
}

TEST_CASE("Files below the source root are named relative to it", "[report]") {
  const TemporaryFolder directory;
  const std::filesystem::path file = directory.write("k.cl", "int x;\n");
  model::CheckResults results;
  results.name = results.kernel = "k";
  results.source = file.string();
  model::CheckedFinding found{.finding = {.kind = "race"}, .cases = {"c"}};
  found.finding.site = {file.string(), 1, 1};
  results.findings = {found};
  model::write_check_results(results, directory.path() / "check.json");
  const CheckReport report =
      read_check_report({directory.path() / "check.json"}, {.roots = {directory.path()}}, "T");
  CHECK(report.title == "T");
  CHECK(report.kernels[0].results.source == "k.cl");
  CHECK(report.kernels[0].results.findings[0].finding.site.file == "k.cl");
  CHECK_THAT(check_html(report, {.roots = {directory.path()}}), ContainsSubstring("<code>"));
}

TEST_CASE("gputest report reads check.json", "[report]") {
  const TemporaryFolder directory;
  const auto file = [&](const char* name) { return (directory.path() / name).string(); };
  const std::string results = (report_data() / "kinds" / "turn" / "check.json").string();
  const Result result = run_report({results, "--html", file("r.html"), "--sarif", file("r.sarif"),
                                    "--junit", file("r.xml"), "--json", file("r.json"),
                                    "--source-root", (report_data() / "kernels").string()});
  CHECK(result.code == 0);
  CHECK_THAT(result.out, ContainsSubstring("1 kernel checked, 3 findings"));
  CHECK_THAT(read_file(file("r.html")), ContainsSubstring("tile"));
  CHECK(nlohmann::json::parse(read_file(file("r.sarif")))["runs"][0]["results"].size() == 3);
  CHECK(nlohmann::json::parse(read_file(file("r.json")))["kernels"].size() == 1);
  for (const char* option : {"--lcov", "--cobertura", "--threshold", "--viewer"})
    CHECK(run_report({results, option, "x"}).code == 2);
  directory.write("broken.json", R"({"format": "gputest-check-2", "name": 3})");
  const Result broken = run_report({file("broken.json")});
  CHECK(broken.code == 2);
  CHECK_THAT(broken.err, ContainsSubstring("broken.json: error: key 'name' has the wrong type"));
}

TEST_CASE("GitHub gets an annotation for each result, errors first", "[report]") {
  CHECK(annotation("error", "50 %\nof it") == "::error::50 %25%0Aof it\n");
  const std::string text = annotations(check_sarif(sample_checks(), sources()));
  CHECK_THAT(text,
             ContainsSubstring("::error file=turn.cl,line=9,col=28,title=race::kernel 'turn', "
                               "case 'small': data race on byte 4 of 'tile'"));
  CHECK_THAT(text, !ContainsSubstring("␊"));
  const std::string sarif = R"({"runs": [{"results": [
    {"ruleId": "a:b", "level": "note", "message": {"text": "n"}, "locations": [{"physicalLocation":
      {"artifactLocation": {"uri": "a%20b.cl"}}}]},
    {"ruleId": "e", "level": "error", "message": {"text": "m"}, "locations": [{"physicalLocation":
      {"artifactLocation": {"uri": "file:///x,y.cl"}, "region": {"startLine": 2, "startColumn": 3}}}]}]}]})";
  CHECK(annotations(sarif) == "::error file=/x%2Cy.cl,line=2,col=3,title=e::m\n"
                              "::notice file=a b.cl,title=a%3Ab::n\n");
}

TEST_CASE("Suppressed results of SARIF have no annotation", "[report]") {
  const std::string sarif = R"({"runs": [{"results": [
    {"ruleId": "e", "level": "error", "message": {"text": "m"}, "suppressions": [{"kind": "inSource"}],
     "locations": [{"physicalLocation": {"artifactLocation": {"uri": "k.cl"}}}]}]}]})";
  CHECK(annotations(sarif).empty());
}

TEST_CASE("A finding without a place is at its kernel, where the source is found", "[report]") {
  const TemporaryFolder directory;
  directory.write("k.cl", "// a comment\nint x;\nkernel void k(global int* a) {\n}\n");
  CheckReport report;
  report.kernels.resize(1);
  model::CheckResults& results = report.kernels[0].results;
  results.name = results.kernel = "k";
  results.source = "k.cl";
  results.findings = {{.finding = {.kind = "race", .message = "one\ntwo"}, .cases = {"c"}}};
  CHECK(annotations(check_sarif(report, {.roots = {directory.path()}})) ==
        "::error file=k.cl,line=3,col=13,title=race::kernel 'k', case 'c': one%0Atwo\n");
  results.source = "elsewhere.cl";
  CHECK(annotations(check_sarif(report, {.roots = {directory.path()}})) ==
        "::error file=elsewhere.cl,title=race::kernel 'k', case 'c': one%0Atwo\n");
}

TEST_CASE("Places in messages are relative to the source root as well", "[report]") {
  const SourceTree tree{.roots = {"/project"}};
  CHECK(tree.with_names("reads at /project/a/k.cl:8:28; '/project/x' and /other/project/y") ==
        "reads at a/k.cl:8:28; 'x' and /other/project/y");
  CHECK(SourceTree{.roots = {"/"}}.with_names("/k.cl:1") == "/k.cl:1");
}
