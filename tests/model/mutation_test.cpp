#include "model/mutation/mutation.h"

#include "tests/catch.h"
#include "tests/model/mutation_builder.h"

using namespace gputest::model;
using namespace gputest::tests;

namespace {

Tallies tallies_of(std::initializer_list<std::pair<Verdict, unsigned>> counts) {
  std::vector<MutantResult> results;
  for (const auto& [verdict, count] : counts)
    for (unsigned i = 0; i < count; ++i)
      results.push_back(result("m", verdict));
  return tally(results);
}

} // namespace

TEST_CASE("Verdicts and reasons have names", "[model]") {
  for (int i = 0; i <= static_cast<int>(Verdict::NotRun); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    CHECK(named<Verdict>(name_of(verdict)) == verdict);
  }
  for (int i = 0; i <= static_cast<int>(KillReason::LaunchFailure); ++i) {
    const auto reason = static_cast<KillReason>(i);
    CHECK(named<KillReason>(name_of(reason)) == reason);
  }
  CHECK(name_of(Verdict::NoCoverage) == "no_coverage");
  CHECK(name_of(Verdict::Ignored) == "ignored");
  CHECK(name_of(KillReason::DivisionByZero) == "division by zero");
  CHECK(name_of(KillReason::LaunchFailure) == "launch failure");
  CHECK_FALSE(named<Verdict>("pending"));
  CHECK_FALSE(named<KillReason>(""));
}

TEST_CASE("The score is killed over all but equivalent and duplicate mutants", "[model]") {
  const Tallies tallies = tallies_of({{Verdict::Killed, 5},
                                      {Verdict::Timeout, 1},
                                      {Verdict::Survived, 2},
                                      {Verdict::NoCoverage, 3},
                                      {Verdict::Undecided, 1},
                                      {Verdict::Equivalent, 7},
                                      {Verdict::Duplicate, 11},
                                      {Verdict::CompileError, 13},
                                      {Verdict::Ignored, 17},
                                      {Verdict::NotRun, 19}});
  CHECK(tallies.total == 79);
  CHECK(tallies.of(Verdict::Duplicate) == 11);
  CHECK(tallies.detected() == 6);
  CHECK(tallies.scored() == 12);
  CHECK(tallies.score() == 50.0);
}

TEST_CASE("Where nothing is scored there is no score", "[model]") {
  CHECK_FALSE(tallies_of({}).score());
  const Tallies proved = tallies_of({{Verdict::Equivalent, 2}, {Verdict::Ignored, 1}});
  CHECK(proved.scored() == 0);
  CHECK_FALSE(proved.score());
  CHECK_FALSE(confidence(proved, 100));
}

TEST_CASE("A mutant counts for each operator that makes it", "[model]") {
  std::vector<Mutation> kernels(2);
  kernels[0].results = {result("a", Verdict::Killed), result("b", Verdict::Survived)};
  kernels[1].results = {result("c", Verdict::Killed)};
  std::vector<MutantResult>& results = kernels[0].results;
  results[0].mutant.operators = {"relational_replacement", "conditional_boundary_replacement"};
  results[1].mutant.operators = {"arithmetic_replacement"};
  kernels[1].results[0].mutant.operators = {"of_another_version", "relational_replacement"};
  const auto tallies = tally_by_operator(kernels);
  std::vector<std::string> names;
  for (const auto& [name, of_operator] : tallies)
    names.push_back(name);
  CHECK(names == std::vector<std::string>{"arithmetic_replacement", "relational_replacement",
                                          "conditional_boundary_replacement",
                                          "of_another_version"});
  CHECK(tallies[0].second.score() == 0.0);
  CHECK(tallies[1].second.of(Verdict::Killed) == 2);
}

// Published values: Wilson's interval of 15 of 20 is [0.5313, 0.8881].
TEST_CASE("The interval of a sample is Wilson's", "[model]") {
  const Tallies sample = tallies_of({{Verdict::Killed, 15}, {Verdict::Survived, 5}});
  const auto interval = confidence(sample, 1'000'000'000);
  REQUIRE(interval);
  CHECK(interval->low == Approx(53.13).margin(0.01));
  CHECK(interval->high == Approx(88.81).margin(0.01));
}

TEST_CASE("The more of a population is in the sample, the narrower the interval", "[model]") {
  const Tallies sample = tallies_of({{Verdict::Killed, 15}, {Verdict::Survived, 5}});
  const auto wide = confidence(sample, 10000), narrow = confidence(sample, 25),
             all = confidence(sample, 20);
  REQUIRE((wide && narrow && all));
  CHECK(narrow->high - narrow->low < (wide->high - wide->low) / 2);
  CHECK(narrow->low < 75);
  CHECK(narrow->high > 75);
  CHECK(all->low == 75);
  CHECK(all->high == 75);
  // 20 * 24 / 5 = 96 draws with replacement, 72 of them kills.
  CHECK(narrow->low == Approx(65.5).margin(0.05));
  CHECK(narrow->high == Approx(82.6).margin(0.05));
}

TEST_CASE("Mutants that are not scored thin out the population as they do the sample", "[model]") {
  const Tallies sample =
      tallies_of({{Verdict::Killed, 15}, {Verdict::Survived, 5}, {Verdict::Equivalent, 20}});
  const auto interval = confidence(sample, 50),
             same = confidence(tallies_of({{Verdict::Killed, 15}, {Verdict::Survived, 5}}), 25);
  REQUIRE((interval && same));
  CHECK(interval->low == Approx(same->low));
  CHECK(interval->high == Approx(same->high));
}

TEST_CASE("An interval stays within 0 and 100", "[model]") {
  const auto none = confidence(tallies_of({{Verdict::Survived, 3}}), 1000),
             all = confidence(tallies_of({{Verdict::Killed, 3}}), 1000);
  REQUIRE((none && all));
  CHECK(none->low == Approx(0).margin(1e-9));
  CHECK(none->low >= 0);
  CHECK(none->high > 30);
  CHECK(all->high == Approx(100));
  CHECK(all->high <= 100);
  CHECK(all->low < 70);
}

TEST_CASE("Parts of a kernel's mutants add up", "[model]") {
  Mutation first = mutation_of({result("a", Verdict::Killed), result("b", Verdict::Survived)}, "x"),
           second = mutation_of({result("c", Verdict::NoCoverage)});
  second.sources = {{"other.h", "y"}};
  first.cases = {"one"};
  second.cases = {"one", "two"};
  first.seconds = second.seconds = 1.5;
  first.executed = 2;
  second.executed = 1;
  second.deterministic = false;
  merge(first, second);
  CHECK(first.results.size() == 3);
  CHECK(first.population == 3);
  CHECK(first.cases == std::vector<std::string>{"one", "two"});
  CHECK(first.sources.size() == 2);
  CHECK(first.device == "device");
  CHECK(first.seconds == 3);
  CHECK(first.executed == 3);
  CHECK_FALSE(first.deterministic);
}

TEST_CASE("The parts of a sample divide the population between them", "[model]") {
  Mutation first = mutation_of({result("a", Verdict::Killed)}),
           second = mutation_of({result("b", Verdict::Killed)});
  first.sample_seed = second.sample_seed = 3;
  first.population = 50;
  second.population = 60;
  merge(first, second);
  CHECK(first.population == 110);
}

TEST_CASE("Of two verdicts on a mutant the one that says more stays", "[model]") {
  MutantResult survived = result("m", Verdict::Survived), killed = result("m", Verdict::Killed);
  survived.reached_by = {"a", "b"};
  survived.runs = 6;
  killed.reached_by = {"b", "c"};
  killed.killed_by = {"c"};
  killed.reason = KillReason::Crash;
  killed.runs = 1;
  killed.detail = "signal 11";
  for (const bool is_killed_first : {true, false}) {
    Mutation into = mutation_of({is_killed_first ? killed : survived}),
             other = mutation_of({is_killed_first ? survived : killed});
    into.population = other.population = 9;
    other.device = "another";
    merge(into, other);
    REQUIRE(into.results.size() == 1);
    const MutantResult& merged = into.results.front();
    CHECK(merged.verdict == Verdict::Killed);
    CHECK(merged.reason == KillReason::Crash);
    CHECK(merged.detail == "signal 11");
    CHECK(merged.reached_by.size() == 3);
    CHECK(merged.killed_by == std::vector<std::string>{"c"});
    CHECK(merged.runs == 7);
    CHECK(into.population == 9);
    CHECK(into.device == "device, another");
    other.device = "other"; // which is a part of the name before
    merge(into, other);
    merge(into, other);
    CHECK(into.device == "device, another, other");
  }
}

TEST_CASE("A test lacks an oracle where nothing looks at what mutants compute") {
  const auto lacks = [](const std::vector<std::pair<Verdict, std::optional<KillReason>>>& verdicts,
                        const char* oracle = "exit code") {
    std::vector<MutantResult> results;
    for (const auto& [verdict, reason] : verdicts) {
      results.push_back(result("m" + std::to_string(results.size()), verdict));
      results.back().reason = reason;
    }
    Mutation mutation = mutation_of(results);
    mutation.oracle = oracle;
    return lacks_oracle(mutation);
  };
  const std::pair<Verdict, std::optional<KillReason>> survived{Verdict::Survived, std::nullopt},
      missed{Verdict::NoCoverage, std::nullopt}, late{Verdict::Timeout, std::nullopt},
      crashed{Verdict::Killed, KillReason::Crash},
      stopped{Verdict::Killed, KillReason::OutOfBounds},
      failed{Verdict::Killed, KillReason::ProgramFailed},
      wrong{Verdict::Killed, KillReason::WrongOutput};
  CHECK(lacks({survived}));
  CHECK(lacks({survived, missed, late, crashed, stopped}));
  CHECK_FALSE(lacks({survived, failed}));
  CHECK_FALSE(lacks({survived, wrong}));
  CHECK_FALSE(lacks({missed, crashed})); // nothing survived
  CHECK_FALSE(lacks({}));
  CHECK_FALSE(lacks({survived}, "")); // no program
}
