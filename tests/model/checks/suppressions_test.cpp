// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/suppressions/suppressions.h"

#include "model/checks/checks.h"
#include "model/operators.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

using namespace gputest;
using namespace gputest::model;
using gputest::tests::TemporaryFolder;

namespace {

Finding race(unsigned line, unsigned other_line = 0) {
  Finding finding{.kind = "race", .site = {"src/sum.cl", line, 3}, .message = "a race on 'x'"};
  if (other_line != 0)
    finding.other = {"src/sum.cl", other_line, 3};
  return finding;
}

constexpr const char* kKernel = "kernel void sum() {\n"
                                "  x[0]  = 1;\n"
                                "  y = 2; // gputest: ignore[race] both write 2\n"
                                "  // gputest: ignore[races,branch]\n"
                                "  z = 3;\n"
                                "  w = 4; // gputest: ignore a mutant\n"
                                "}\n";

// A project with the kernel above, and perhaps a file of entries.
struct Project {
  explicit Project(const std::string& entries = "") {
    folder.write("src/sum.cl", kKernel);
    if (!entries.empty())
      folder.write("gputest.suppressions", entries);
  }
  // The kernel is looked at from its folder, as a host program does.
  std::optional<SuppressedBy> of(const Finding& finding, const std::string& kernel = "sum") const {
    return Suppressions({folder.path() / "src"}).of(finding, "sum_test", kernel);
  }
  bool suppresses(const Finding& finding, const std::string& kernel = "sum") const {
    return of(finding, kernel).has_value();
  }

  TemporaryFolder folder;
};

std::string error_of(const std::string& entries) {
  const Project project(entries);
  try {
    read_suppressions(project.folder.path() / "gputest.suppressions");
  } catch (const FormatError& error) {
    const std::string text = error.what();
    return text.substr(text.find("suppressions:") + std::string("suppressions:").size());
  }
  return "";
}

} // namespace

TEST_CASE("A word in the brackets of a comment names one thing", "[model]") {
  std::map<std::string, int> meanings;
  for (const std::string_view word :
       {"coverage", "statement", "branch", "condition", "loop", "conventional", "gpu", "all"})
    ++meanings[std::string(word)];
  for (const MutationOperator& one : mutation_operators())
    ++meanings[std::string(one.name)];
  for (const CheckRow& check : check_rows()) {
    if (std::ranges::none_of(check.kinds,
                             [&](const auto& kind) { return kind.name == check.name; }))
      ++meanings[std::string(check.name)];
    for (const KindOfFinding& kind : check.kinds)
      ++meanings[std::string(kind.name)];
  }
  for (const KindOfFinding& kind : other_kinds())
    ++meanings[std::string(kind.name)];
  for (const auto& [word, count] : meanings)
    CHECK(fmt::format("{} {}", word, count) == word + " 1");
}

TEST_CASE("A comment on either line of a finding suppresses the kinds that it names", "[model]") {
  const Project project;
  CHECK_FALSE(project.suppresses(race(2)));
  REQUIRE(project.suppresses(race(3)));
  CHECK(*project.of(race(3)) == SuppressedBy{"src/sum.cl:3", true, "both write 2"});
  CHECK(project.suppresses(race(2, 3)));
  CHECK(project.suppresses(race(3, 2)));
  CHECK(project.suppresses(race(5))); // the comment stands alone above, and names the check
  Finding other = race(3);
  other.kind = "race_same_value"; // another kind than the comment's
  CHECK_FALSE(project.suppresses(other));
  other.site.line = 5;
  CHECK(project.suppresses(other)); // a kind of the check
  other.kind = "out_of_bounds";
  CHECK_FALSE(project.suppresses(other));
  CHECK_FALSE(project.suppresses(race(6))); // no name, so no finding
  CHECK_FALSE(project.suppresses(race(0)));
  Finding elsewhere = race(3);
  elsewhere.site.file = "src/other.cl";
  CHECK_FALSE(project.suppresses(elsewhere));
}

TEST_CASE("An entry of a file suppresses what all of its keys match", "[model]") {
  struct Row {
    const char *keys, *what;
    unsigned line;
    bool matches;
  };
  constexpr Row rows[] = {
      {"file = src/sum.cl", "[race]", 2, true},
      {"file = sum.cl", "[race]", 2, true},
      {"file = */src/*.cl", "[race]", 2, false},
      {"file = src/*", "[race]", 2, true},
      {"file = other.cl", "[race]", 2, false},
      {"kernel = sum", "[race]", 2, true},
      {"kernel = sum_*", "[race]", 2, true}, // the test's name
      {"kernel = total", "[race]", 2, false},
      {"kernel = sum\ntext = x[0] = 1;", "[race]", 2, true}, // blanks count once
      {"kernel = sum\ntext = x[0] = 1;", "[race]", 6, false},
      {"kernel = sum\nfile = other.cl", "[race]", 2, false},
      {"function = sum", "[race]", 2, true},
      {"function = total", "[race]", 2, false},
      {"kernel = sum", "[races]", 2, true},
      {"kernel = sum", "[bounds, race]", 2, true},
      {"kernel = sum", "[bounds]", 2, false},
      {"kernel = sum", "[*]", 2, true},
  };
  for (const Row& row : rows)
    for (const bool windows : {false, true}) { // a byte order mark, and other ends of lines
      std::string text =
          fmt::format("# accepted\n\n{}\n{}\nreason = as on paper\n", row.what, row.keys);
      if (windows)
        text = "\xEF\xBB\xBF" + std::regex_replace(text, std::regex("\n"), "\r\n");
      const Project project(text);
      CAPTURE(row.keys, row.what, windows);
      CHECK(project.suppresses(race(row.line)) == row.matches);
      if (row.matches) {
        CHECK(project.of(race(row.line))->reason == "as on paper");
        CHECK(project.of(race(row.line))->place ==
              (project.folder.path() / "gputest.suppressions").string() + ":3");
      }
    }
  CHECK(Project("\xEF\xBB\xBF[race]\r\nkernel = sum\r\nreason = known\r\n").suppresses(race(2)));
}

TEST_CASE("A mistake in a file of entries is named with its line", "[model]") {
  CHECK(error_of("kernel = a\n") ==
        "1: error: an entry begins with kinds of findings in brackets: [race]");
  CHECK_THAT(error_of("# first\n[rase]\nkernel = a\nreason = b\n"),
             Catch::Matchers::StartsWith("2: error: 'rase' is no kind of findings and no check "
                                         "(did you mean 'race'?)"));
  CHECK_THAT(error_of("[race\nkernel = a\n"),
             Catch::Matchers::StartsWith("1: error: an entry begins with kinds"));
  CHECK_THAT(error_of("[]\nkernel = a\n"),
             Catch::Matchers::StartsWith("1: error: the brackets name no kind"));
  CHECK(error_of("[race]\nkernel = a\n") == "1: error: the entry needs a reason");
  CHECK(
      error_of("[race]\nreason = b\n") ==
      "1: error: the entry needs 'file', 'function' or 'kernel', so that it is not for everything");
  CHECK(error_of("[race]\nkernels = a\n") ==
        "2: error: 'kernels' is no key: file, text, function, kernel and reason are");
  CHECK(error_of("[race]\nkernel =\n") == "2: error: 'kernel' has no value");
  CHECK(error_of("[race]\nkernel = a\nkernel = b\n") == "3: error: 'kernel' is given twice");
  CHECK_THAT(error_of("[race]\nkernel\n"),
             Catch::Matchers::StartsWith("2: error: 'key = value' is expected"));
  CHECK_THROWS_AS(Suppressions({}, "/nowhere/gputest.suppressions"), FormatError);
}

TEST_CASE("Suppressed findings do not count in their cases", "[model]") {
  const Project project("[race]\nkernel = sum\ntext = x[0] = 1;\nreason = known\n");
  CheckResults results{.name = "sum_test", .kernel = "sum"};
  results.cases = {{.name = "a", .findings = 1}, {.name = "b", .findings = 2}};
  results.findings = {{.finding = race(2), .cases = {"a", "b"}},
                      {.finding = race(1), .cases = {"b"}}};
  Suppressions({project.folder.path() / "src"}).apply(results);
  REQUIRE(results.findings.size() == 1);
  CHECK(results.findings[0].finding.site.line == 1);
  CHECK(results.cases[0].findings == 0);
  CHECK(results.cases[1].findings == 1);
  REQUIRE(results.suppressed.size() == 1);
  CHECK(results.suppressed[0].by.reason == "known");
  CHECK(results.suppressions == (project.folder.path() / "gputest.suppressions").string());
  CHECK(check_results_from_json(to_json(results)) == results);
}

TEST_CASE("An entry made of a finding suppresses it", "[model]") {
  const std::string entry = entry_for(race(2), "sum", "  x[0]  = 1;", "was there");
  CHECK(entry == "[race]\nfile = src/sum.cl\ntext = x[0] = 1;\nkernel = sum\nreason = was there\n");
  const Project project(entry);
  CHECK(project.suppresses(race(2)));
  CHECK_FALSE(project.suppresses(race(1)));
  // Names that are no patterns and have the letters of some.
  for (const char* file : {"src/v[2]/sum.cl", "a  b/sum.cl", "what?/*.cl", "back\\slash.cl"}) {
    Finding there = race(0);
    there.site = {file, 7, 3};
    CAPTURE(file);
    CHECK(Project(entry_for(there, "copy<int *, 2>", "", "was there"))
              .suppresses(there, "copy<int *, 2>"));
  }
}
