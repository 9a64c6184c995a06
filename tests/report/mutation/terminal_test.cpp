#include "report/common/text.h"
#include "report/mutation/outputs.h"
#include "tests/catch.h"
#include "tests/model/mutation_builder.h"
#include "tests/report/fixtures.h"

#include <algorithm>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Verdict;

namespace {

MutationReport sample() {
  std::vector<std::filesystem::path> files;
  for (const char* kernel : {"classify", "reduce"})
    files.push_back(report_data() / "mutation" / kernel / "mutation.json");
  return read_mutation_report(files, "");
}

std::string terminal_of(model::Mutation kernel) {
  return mutation_terminal(make_mutation_report({std::move(kernel)}, ""), false);
}

} // namespace

TEST_CASE("The whole mutation report is shown in a terminal", "[report]") {
  check_golden("mutation_terminal.txt", mutation_terminal(sample(), false));
}

TEST_CASE("Colour adds nothing but colour to the mutation report", "[report]") {
  const std::string coloured = mutation_terminal(sample(), true);
  CHECK(coloured.find('\x1b') != std::string::npos);
  CHECK(without_colour(coloured) == mutation_terminal(sample(), false));
}

TEST_CASE("A survivor is a line that editors jump to", "[report]") {
  model::MutantResult survivor = result("m", Verdict::Survived, 7, 13, "a < b", "a <= b");
  survivor.reached_by = {"one", "two", "three"};
  CHECK_THAT(
      terminal_of(mutation_of({survivor})),
      ContainsSubstring("\nk.cl:7:13: relational_replacement: 'a < b' → 'a <= b' survived (3 "
                        "cases reached it)\n"));
}

TEST_CASE("Mutants of one expression that all survive are one entry", "[report]") {
  const auto mutant = [](const char* id, Verdict verdict, const char* replacement) {
    model::MutantResult made = result(id, verdict, 7, 13, "a < b", replacement);
    made.reached_by = {"one"};
    return made;
  };
  model::MutantResult boundary = mutant("b", Verdict::Survived, "a <= b");
  boundary.mutant.operators = {"conditional_boundary_replacement"};
  const model::Mutation all = mutation_of({mutant("a", Verdict::Survived, "a > b"), boundary,
                                           mutant("c", Verdict::Survived, "a == b"),
                                           mutant("d", Verdict::Equivalent, "a != b")});
  const std::string text = terminal_of(all);
  CHECK_THAT(text, ContainsSubstring("\nk.cl:7:13: relational_replacement, "
                                     "conditional_boundary_replacement: 'a < b': each of 3 mutants "
                                     "survived (1 case reached it)\n"));
  CHECK_THAT(text, !ContainsSubstring("a == b"));
  CHECK_THAT(mutation_page(make_mutation_report({all}, "T"), "").main,
             ContainsSubstring("<code>a &lt; b</code>: each of 3 mutants survived"));
  // One that is killed says that the expression matters: then each survivor is told.
  const std::string some = terminal_of(mutation_of({mutant("a", Verdict::Survived, "a > b"),
                                                    mutant("b", Verdict::Survived, "a == b"),
                                                    mutant("c", Verdict::Killed, "a <= b")}));
  CHECK_THAT(some, ContainsSubstring("'a < b' → 'a > b' survived") &&
                       ContainsSubstring("'a < b' → 'a == b' survived"));
}

TEST_CASE("Fences that no test told apart are not scored, and listed apart", "[report]") {
  model::MutantResult fence =
      result("f", Verdict::Survived, 9, 3, "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE");
  fence.mutant.operators = {"fence_replacement"};
  const std::string text = terminal_of(mutation_of({result("a", Verdict::Killed), fence}));
  CHECK_THAT(text, ContainsSubstring("1/1 100 %         0            0           1\n") &&
                       ContainsSubstring("not scored: 1 of fences that no test told apart\n") &&
                       ContainsSubstring("\nk.cl:9:3: fence_replacement: 'CLK_LOCAL_MEM_FENCE' → "
                                         "'CLK_GLOBAL_MEM_FENCE' survived; not scored: hardly a "
                                         "device treats the two kinds of fence differently\n"));
  fence.verdict = Verdict::Killed;
  CHECK_THAT(terminal_of(mutation_of({result("a", Verdict::Survived), fence})),
             ContainsSubstring("1/2  50 %         1            0\n"));
}

TEST_CASE("Of what nothing is scored there is no percentage", "[report]") {
  CHECK_THAT(
      terminal_of(mutation_of({result("m", Verdict::Equivalent)})),
      ContainsSubstring("\nk                            –         0            0           1\n") &&
          ContainsSubstring("not scored: 1 equivalent (proved)\n"));
  const std::string none = terminal_of(mutation_of({}));
  CHECK_THAT(none, ContainsSubstring("0 mutants, 0 test cases"));
  CHECK_THAT(none, !ContainsSubstring("operator"));
}

TEST_CASE("Long lists end with how many more there are", "[report]") {
  std::vector<model::MutantResult> results;
  for (unsigned i = 1; i <= 1000; ++i)
    for (const Verdict verdict : {Verdict::Survived, Verdict::NoCoverage, Verdict::Ignored})
      results.push_back(result(std::to_string(i), verdict, i));
  const std::string text = terminal_of(mutation_of(results));
  CHECK_THAT(text,
             ContainsSubstring("\nand 900 more survivors; see the HTML report") &&
                 ContainsSubstring("\nand 980 more lines with mutants that no case reaches") &&
                 ContainsSubstring("\nand 980 more ignored mutants"));
  CHECK(std::ranges::count(text, '\n') < 200);
}

TEST_CASE("A sample's score comes with its interval", "[report]") {
  model::Mutation kernel =
      mutation_of({result("a", Verdict::Killed), result("b", Verdict::Survived)});
  kernel.population = 1000;
  CHECK_THAT(terminal_of(kernel), !ContainsSubstring("confidence"));
  kernel.sample_seed = 42;
  CHECK_THAT(terminal_of(kernel),
             ContainsSubstring("a sample of 2 of 1000 mutants (seed 42): score 50.0 %, and with 95 "
                               "% confidence 9.5 to 90.5 % of all"));
}

TEST_CASE("What puts a score in doubt is said", "[report]") {
  model::Mutation kernel = mutation_of({result("a", Verdict::Survived)});
  kernel.threshold = 62.5;
  kernel.deterministic = false;
  CHECK_THAT(terminal_of(kernel),
             ContainsSubstring("k: warning: the kernel itself does not compute the same") &&
                 ContainsSubstring("k: error: the score of 0 % is below the threshold of 62.5 %"));
  kernel = mutation_of({result("a", Verdict::Killed)});
  kernel.threshold = 100;
  CHECK_THAT(terminal_of(kernel), !ContainsSubstring("threshold") && !ContainsSubstring("warning"));
}

TEST_CASE("A file that two kernels have mutants in says which", "[report]") {
  model::Mutation first = mutation_of({result("m", Verdict::Survived)}), second = first;
  second.name = "other";
  CHECK_THAT(mutation_terminal(make_mutation_report({first, second}, ""), false),
             ContainsSubstring("survived in k\n") && ContainsSubstring("survived in k (other)\n"));
}

TEST_CASE("Escape sequences in mutants do not reach the terminal", "[report]") {
  const std::string hostile = "\x1b[2J\n";
  model::MutantResult one = result(hostile, Verdict::Survived, 1, 1, hostile, hostile);
  one.mutant.operators = {hostile};
  one.mutant.file = hostile;
  model::MutantResult two = one;
  two.verdict = Verdict::Ignored;
  two.mutant.ignore_reason = hostile;
  model::Mutation kernel = mutation_of({one, two});
  kernel.name = kernel.device = kernel.since = hostile;
  kernel.not_mutated = {{.file = hostile,
                         .line = 1,
                         .column = 1,
                         .function = hostile,
                         .construct = hostile,
                         .reason = hostile}};
  CHECK(terminal_of(kernel).find('\x1b') == std::string::npos);
}
