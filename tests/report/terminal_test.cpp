#include "report/common/text.h"
#include "report/coverage/outputs.h"
#include "tests/catch.h"
#include "tests/report/fixtures.h"

#include <sstream>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Criterion;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

} // namespace

TEST_CASE("The whole report is shown in a terminal", "[report]") {
  check_golden("terminal.txt", terminal(sample_report(), false));
}

TEST_CASE("Colour adds nothing but colour", "[report]") {
  const std::string plain = terminal(sample_report(), false),
                    coloured = terminal(sample_report(), true);
  CHECK(coloured != plain);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(without_colour(coloured) == plain);
}

TEST_CASE("Nothing to cover is no percentage", "[report]") {
  const model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "x;", {{"executed", 1}})});
  const auto lines = lines_of(terminal(make_report({coverage}, ""), false));
  REQUIRE(lines.size() == 3); // heading, kernel, cases: nothing is missing
  CHECK(lines[1] == "k        1/1 100 %        –           –      –         –");
}

TEST_CASE("What does not count is listed with its reason", "[report]") {
  model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "x;", {{"executed", 1}})});
  coverage.not_counted = {{.criterion = Criterion::Loop,
                           .file = "k.cl",
                           .line = 3,
                           .column = 2,
                           .function = "k",
                           .text = "for (;;)",
                           .outcomes = {"zero", "one"},
                           .reason = "ignored: \x1bpadded"}};
  CHECK_THAT(terminal(make_report({coverage}, ""), false),
             ContainsSubstring("k.cl:3:2: not counted: loop 'for (;;)': zero, one: ignored: ") &&
                 !ContainsSubstring("\x1b"));
}

TEST_CASE("The table stays within 100 columns", "[report]") {
  model::Coverage coverage = coverage_of({});
  coverage.kernel = std::string(80, 'k') + "_äöü_" + std::string(80, 'l');
  for (unsigned i = 0; i < 12345; ++i) {
    const std::uint64_t hits = i < 12000 ? 1 : 0;
    coverage.sites.push_back(site(Criterion::Statement, "", i, 1, "x;", {{"executed", hits}}));
    coverage.sites.push_back(
        site(Criterion::Branch, "if", i, 2, "a", {{"true", 1}, {"false", hits}}));
    coverage.sites.push_back(
        site(Criterion::Condition, "", i, 2, "a", {{"true", 1}, {"false", 1}}));
  }
  const auto lines = lines_of(terminal(make_report({coverage}, ""), false));
  CHECK(width_of(lines[0]) == 100);
  CHECK(width_of(lines[1]) == 100);
  CHECK_THAT(lines[1], StartsWith("kkkkkk") && ContainsSubstring("…l") &&
                           ContainsSubstring("12000/12345  97 %") &&
                           ContainsSubstring("24345/24690  98 %"));
}

TEST_CASE("Escape sequences in names do not reach the terminal", "[report]") {
  model::Coverage coverage =
      coverage_of({site(Criterion::Statement, "", 1, 1, "x\x1b[2J;\n", {{"executed", 0}})});
  coverage.name = coverage.device = "\x1b]0;title\a";
  coverage.sites[0].site.file = "a\x1b[31m.cl";
  coverage.cases = {{.name = "\x1b[1m",
                     .verdict = model::CaseVerdict::Crashed,
                     .message = "signal 11\r\nhe\x1bre\n  and here\n",
                     .seconds = 0}};
  coverage.not_instrumented = {{.file = "a\x1b.cl",
                                .line = 1,
                                .column = 2,
                                .function = "k",
                                .construct = "\x1b",
                                .reason = "\x1b"}};
  const std::string text = terminal(make_report({coverage}, ""), false);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK_THAT(text,
             ContainsSubstring("case '␛[1m' crashed: signal 11\n    he␛re\n      and here\na␛") &&
                 ContainsSubstring("a␛.cl:1:2: warning: ␛ not instrumented: ␛\n") &&
                 ContainsSubstring("a␛[31m.cl:1:1: statement 'x␛[2J;␊' was never executed\n"));
}
