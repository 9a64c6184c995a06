#include "report/common/junit.h"
#include "report/coverage/outputs.h"
#include "report/mutation/outputs.h"
#include "tests/catch.h"
#include "tests/model/mutation_builder.h"
#include "tests/report/fixtures.h"

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Verdict;

TEST_CASE("Test cases of JUnit have unique names, whatever the results", "[report]") {
  JUnitNames names;
  CHECK(names.unique("k", "a") == "a");
  CHECK(names.unique("k", "a") == "a #2");
  CHECK(names.unique("k", "a #2") == "a #2 #2");
  CHECK(names.unique("k", "a") == "a #3");
  CHECK(names.unique("other", "a") == "a");
  const std::string xml = junit_xml("T", {{.name = "k", .cases = {{.name = "a"}, {.name = "a"}}},
                                          {.name = "k", .cases = {{.name = "a"}}}});
  for (const char* name : {"name=\"a\"", "name=\"a #2\"", "name=\"a #3\""})
    CHECK_THAT(xml, ContainsSubstring(name));
}

TEST_CASE("A mutant that a time limit left out is skipped in JUnit", "[report]") {
  model::Mutation kernel =
      mutation_of({result("a", Verdict::NotRun, 1), result("b", Verdict::Survived, 2)});
  const std::string xml = junit(make_mutation_report({kernel}, "T"));
  CHECK_THAT(xml, ContainsSubstring("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\"") &&
                      ContainsSubstring("<skipped message=\"not run: the time limit was over\"/>"));
}

TEST_CASE("Every mutant is a test case of JUnit", "[report]") {
  model::Mutation kernel =
      mutation_of({result("a", Verdict::Killed, 1), result("b", Verdict::Timeout, 2),
                   result("c", Verdict::Survived, 3), result("d", Verdict::Undecided, 4),
                   result("e", Verdict::NoCoverage, 5), result("f", Verdict::Equivalent, 6),
                   result("g", Verdict::Duplicate, 7), result("h", Verdict::CompileError, 8),
                   result("i", Verdict::Ignored, 9)});
  kernel.seconds = 1.5;
  kernel.results[2].reached_by = {"one", "two"};
  kernel.results[2].seconds = 0.25;
  kernel.results[3].detail = "a\n  <b>";
  kernel.results[8].mutant.ignore_reason = "by <design>";
  const std::string xml = junit(make_mutation_report({kernel}, "T"));
  CHECK_THAT(xml,
             ContainsSubstring("<testsuites name=\"T\" tests=\"9\" failures=\"3\" errors=\"0\" "
                               "skipped=\"4\" time=\"1.500\">"));
  CHECK_THAT(xml, ContainsSubstring("name=\"k.cl:1:1: &lt; → &lt;= [a]\" file=\"k.cl\" line=\"1\" "
                                    "time=\"0.000000\"/>\n"));
  CHECK_THAT(xml, ContainsSubstring(
                      "<testcase classname=\"k.relational_replacement\" name=\"k.cl:3:1: &lt; → "
                      "&lt;= [c]\" file=\"k.cl\" line=\"3\" time=\"0.250000\"><failure "
                      "type=\"survived\" message=\"survived (2 cases reached it)\">k.cl:3:1: "
                      "survived (2 cases reached it)</failure></testcase>"));
  CHECK_THAT(xml, ContainsSubstring("<failure type=\"no_coverage\""));
  CHECK_THAT(xml, ContainsSubstring("<failure type=\"undecided\"") &&
                      ContainsSubstring("others do not: a\n  &lt;b&gt;</failure>"));
  CHECK_THAT(xml, ContainsSubstring("<skipped message=\"ignored: by &lt;design&gt;\"/>"));
  CHECK_THAT(xml,
             ContainsSubstring("<skipped message=\"rejected by the device&#39;s compiler\"/>"));
}

TEST_CASE("Several kernels are several suites", "[report]") {
  model::Mutation first = mutation_of({result("a", Verdict::Killed)}), second = first;
  second.name = "other";
  const std::string xml = junit(make_mutation_report({first, second}, ""));
  CHECK_THAT(xml, ContainsSubstring("<testsuites name=\"Mutants of 2 kernels\" tests=\"2\""));
  CHECK_THAT(xml, ContainsSubstring("<testsuite name=\"k\" tests=\"1\""));
  CHECK_THAT(xml, ContainsSubstring("<testsuite name=\"k (other)\" tests=\"1\""));
}

TEST_CASE("A criterion below its threshold is a failed test case of JUnit", "[report]") {
  const std::string xml =
      coverage_junit(read_report({report_data() / "kinds" / "sum" / "coverage.json"}, "T"));
  CHECK_THAT(xml, ContainsSubstring("<testsuites name=\"T\" tests=\"3\" failures=\"1\""));
  CHECK_THAT(xml, ContainsSubstring("name=\"arguments\"") &&
                      ContainsSubstring("<failure type=\"threshold\" message=\"branch coverage is "
                                        "50 %, below the threshold of 80 %\">1 of 2 covered\n"
                                        "sum.cl:2:7: branch &#39;a &lt; b&#39; was never false"));
}
