#include "report/coverage/outputs.h"
#include "tests/catch.h"
#include "tests/report/fixtures.h"

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Criterion;

// That it is well-formed and adds up: xml_test.py.
TEST_CASE("The whole report is written for Cobertura", "[report]") {
  check_golden("cobertura.xml", cobertura(sample_report(), {.roots = {"kernels & more"}}));
}

TEST_CASE("Cobertura rates of nothing are 0", "[report]") {
  const model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "x;", {{"executed", 1}})});
  CHECK_THAT(cobertura(make_report({coverage}, ""), {.roots = {"."}}),
             ContainsSubstring("<coverage line-rate=\"1\" branch-rate=\"0\" lines-covered=\"1\" "
                               "lines-valid=\"1\" branches-covered=\"0\" branches-valid=\"0\""));
}

TEST_CASE("Cobertura tells each branch of a line", "[report]") {
  const model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 2, 1, "if", {{"executed", 3}}),
                   site(Criterion::Branch, "if", 2, 5, "a", {{"true", 1}, {"false", 0}}),
                   site(Criterion::Branch, "switch", 2, 9, "case 1", {{"taken", 4}})});
  CHECK_THAT(cobertura(make_report({coverage}, ""), {.roots = {"."}}),
             ContainsSubstring("branch=\"true\" condition-coverage=\"66% (2/3)\"") &&
                 ContainsSubstring("<condition number=\"0\" type=\"jump\" coverage=\"50%\"/>") &&
                 ContainsSubstring("<condition number=\"1\" type=\"switch\" coverage=\"100%\"/>"));
}
