// What each test case is worth, and the command that says so.
#include "report/cases/cases.h"

#include "model/files.h"
#include "report/cases/cover.h"
#include "tests/catch.h"
#include "tests/model/mutation_builder.h"
#include "tests/report/command.h"
#include "tests/report/fixtures.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <random>

using namespace gputest;
using namespace gputest::report;
using namespace gputest::tests;
using model::Verdict;

namespace {

// Three cases: `a` and `b` reach an outcome each and both a third one; `c` reaches what they do.
model::Coverage sample_coverage() {
  model::Coverage coverage;
  coverage.name = coverage.kernel = "k";
  coverage.device = "device";
  coverage.source = "k.cl";
  coverage.sites = {site(model::Criterion::Branch, "if", 1, 1, "x", {{"true", 2}, {"false", 2}}),
                    site(model::Criterion::Branch, "if", 2, 1, "y", {{"true", 3}, {"false", 0}})};
  coverage.cases = {
      {.name = "a", .reached = "5"}, {.name = "b", .reached = "6"}, {.name = "c", .reached = "7"}};
  return coverage;
}

model::Mutation sample_mutation(bool all_cases) {
  model::Mutation mutation =
      mutation_of({result("m1", Verdict::Killed), result("m2", Verdict::Killed),
                   result("m3", Verdict::Survived)});
  mutation.cases = {"a", "b", "c"};
  mutation.results[0].killed_by = {"a", "c"};
  mutation.results[1].killed_by = {"b"};
  mutation.all_cases = all_cases;
  return mutation;
}

std::size_t smallest_by_trying(std::size_t sets,
                               const std::vector<std::vector<std::size_t>>& goals) {
  std::size_t best = sets;
  for (unsigned chosen = 0; chosen < 1U << sets; ++chosen)
    if (std::ranges::all_of(goals, [&](const std::vector<std::size_t>& goal) {
          return goal.empty() || std::ranges::any_of(goal, [&](std::size_t set) {
                   return (chosen >> set & 1) != 0;
                 });
        }))
      best = std::min(best, static_cast<std::size_t>(std::popcount(chosen)));
  return best;
}

} // namespace

TEST_CASE("The smallest cover is as small as trying all shows", "[report]") {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 200; ++round) {
    const std::size_t sets = 1 + random() % 9;
    std::vector<std::vector<std::size_t>> goals(random() % 15);
    for (std::vector<std::size_t>& goal : goals)
      for (std::size_t set = 0; set < sets; ++set)
        if (random() % 3 == 0)
          goal.push_back(set);
    const Cover cover = smallest_cover(sets, goals);
    CHECK(cover.is_smallest);
    CHECK(cover.sets.size() == smallest_by_trying(sets, goals));
    for (const std::vector<std::size_t>& goal : goals)
      CHECK((goal.empty() || std::ranges::any_of(goal, [&](std::size_t set) {
               return std::ranges::binary_search(cover.sets, set);
             })));
  }
}

TEST_CASE("A search that is ended still covers everything, and says so", "[report]") {
  std::vector<std::vector<std::size_t>> goals;
  for (std::size_t i = 0; i < 30; ++i)
    goals.push_back({i, (i + 1) % 30, (i * 7 + 3) % 30});
  for (std::vector<std::size_t>& goal : goals)
    std::ranges::sort(goal);
  const Cover cover = smallest_cover(30, goals, 3);
  CHECK_FALSE(cover.is_smallest);
  for (const std::vector<std::size_t>& goal : goals)
    CHECK(std::ranges::any_of(
        goal, [&](std::size_t set) { return std::ranges::binary_search(cover.sets, set); }));
}

TEST_CASE("A case is redundant where neither an outcome nor a mutant needs it", "[report]") {
  const model::Coverage coverage = sample_coverage();
  const model::Mutation mutation = sample_mutation(true);
  const auto set = cases_of(&coverage, &mutation);
  REQUIRE(set);
  REQUIRE(set->cases.size() == 3);
  CHECK(set->cases[1].only_kills == std::vector<std::string>{"m2"});
  CHECK(set->cases[0].outcomes == 2);
  CHECK(set->cases[0].kills == 1);
  CHECK(set->cases[2].outcomes == 3);
  CHECK_FALSE(set->cases[2].is_needed());
  // b and either of a and c.
  CHECK(std::ranges::count(set->cases, true, &CaseWorth::is_kept) == 2);
  CHECK(set->cases[1].is_kept);
  CHECK(redundant_cases({*set}).size() == 1);

  // Where killers are not known, nothing is called redundant, and c alone has the coverage.
  const model::Mutation first_only = sample_mutation(false);
  const auto unknown = cases_of(&coverage, &first_only);
  REQUIRE(unknown);
  CHECK_FALSE(unknown->has_kills);
  CHECK(redundant_cases({*unknown}).empty());
  CHECK(std::ranges::count(unknown->cases, true, &CaseWorth::is_kept) == 1);
  CHECK(unknown->cases[2].is_kept);
  CHECK_THAT(unknown->notes.at(0), ContainsSubstring("ALL_CASES (--all-cases)"));
  CHECK_FALSE(cases_of(nullptr, nullptr));
}

TEST_CASE("gputest cases prints what each case is worth", "[report]") {
  const TemporaryFolder directory;
  const std::string root = directory.path().string();
  directory.write("k/empty", "");
  model::write_coverage(sample_coverage(), directory.path() / "k/coverage.json");
  model::write_atomically(directory.path() / "k/mutation.json",
                          model::text_of(std::vector{sample_mutation(true)}));
  const auto cases = [](std::vector<std::string> words) { return run_cases(std::move(words)); };
  const Result result = cases({root, "--json", root + "/cases.json"});
  CHECK(result.code == 0);
  CHECK_THAT(result.out,
             ContainsSubstring("  'b' alone kills m2\n") &&
                 ContainsSubstring("  2 of 3 cases have the same coverage and score\n") &&
                 ContainsSubstring("redundant\n"));
  const auto json = nlohmann::json::parse(read_file(root + "/cases.json"));
  CHECK(json["tests"][0]["cases"][1]["kills_alone"][0] == "m2");
  CHECK(cases({root, "--no-terminal"}).out.empty());
  const Result stopped = cases({root, "--no-terminal", "--fail-on-redundant"});
  CHECK(stopped.code == 1);
  CHECK_THAT(stopped.err, ContainsSubstring("error: k: no outcome and no mutant needs case '"));
  CHECK(cases({}).code == 2);
  CHECK(cases({root + "/nowhere"}).code == 2);
  const TemporaryFolder empty;
  CHECK_THAT(cases({empty.path().string()}).err,
             ContainsSubstring("no results of coverage or mutation"));

  // The index says so, too.
  const Result index = run_report({root, "--index", root + "/report.html", "--no-terminal"});
  CHECK(index.code == 0);
  CHECK_THAT(read_file(root + "/report.html"), ContainsSubstring("<h2>Redundant cases</h2>"));
}
