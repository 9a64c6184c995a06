// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/cases/cases.h"

#include "report/cases/cover.h"
#include "report/common/label.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace gputest::report {
namespace {

using Goal = std::vector<std::size_t>; // the cases that reach it

// The position of a case in the set.
std::optional<std::size_t> position(const CaseSet& set, const std::string& name) {
  const auto found = std::ranges::find(set.cases, name, &CaseWorth::name);
  return found == set.cases.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - set.cases.begin()));
}

void add_case(CaseSet& set, const std::string& name) {
  if (!position(set, name))
    set.cases.push_back({.name = name});
}

// Adds the outcomes that passed cases reach.
void add_outcomes(const model::Coverage& coverage, CaseSet& set, std::vector<Goal>& goals) {
  std::size_t outcomes = 0;
  for (const model::SiteCoverage& entry : coverage.sites)
    outcomes += entry.hits.size();
  const bool is_known = std::ranges::all_of(
      coverage.cases, [](const model::CaseRecord& record) { return !record.reached.empty(); });
  if (outcomes == 0 || !is_known) {
    set.notes.push_back("it is not known which case reaches which outcome: run the coverage test "
                        "of a kernel");
    return;
  }
  set.has_outcomes = true;
  for (std::size_t i = 0; i < outcomes; ++i) {
    Goal goal;
    for (const model::CaseRecord& record : coverage.cases)
      if (model::reaches(record, i))
        goal.push_back(*position(set, record.name));
    std::ranges::sort(goal);
    for (const std::size_t one : goal)
      ++set.cases[one].outcomes;
    if (goal.size() == 1)
      ++set.cases[goal.front()].only_outcomes;
    goals.push_back(std::move(goal));
  }
}

void add_kills(const model::Mutation& mutation, CaseSet& set, std::vector<Goal>& goals) {
  if (!mutation.all_cases) {
    set.notes.push_back("it is not known of all cases which mutants they kill: run mutation with "
                        "ALL_CASES (--all-cases)");
    return;
  }
  set.has_kills = true;
  for (const model::MutantResult& result : mutation.results) {
    Goal goal;
    for (const std::string& name : result.killed_by)
      if (const auto one = position(set, name))
        goal.push_back(*one);
    std::ranges::sort(goal);
    goal.erase(std::ranges::unique(goal).begin(), goal.end());
    for (const std::size_t one : goal)
      ++set.cases[one].kills;
    if (goal.size() == 1)
      set.cases[goal.front()].only_kills.push_back(result.mutant.id);
    goals.push_back(std::move(goal));
  }
  if (const auto left = model::tally(mutation.results).of(model::Verdict::NotRun); left > 0)
    set.notes.push_back(
        fmt::format("{} not run, which may need further cases", plural(left, "mutant")));
}

} // namespace

std::optional<CaseSet> cases_of(const model::Coverage* coverage, const model::Mutation* mutation) {
  CaseSet set;
  if (coverage) {
    set.name = coverage->name;
    set.kernel = coverage->kernel;
    for (const model::CaseRecord& record : coverage->cases)
      add_case(set, record.name);
  }
  if (mutation) {
    set.name = mutation->name;
    set.kernel = mutation->kernel;
    for (const std::string& name : mutation->cases)
      add_case(set, name);
  }
  if (set.cases.size() < 2)
    return std::nullopt;
  std::vector<Goal> goals;
  if (coverage)
    add_outcomes(*coverage, set, goals);
  else
    set.notes.push_back("there are no results of coverage");
  if (mutation)
    add_kills(*mutation, set, goals);
  else
    set.notes.push_back("there are no results of mutation");
  if (!set.has_outcomes && !set.has_kills)
    return set;
  const Cover cover = smallest_cover(set.cases.size(), goals);
  set.is_smallest = cover.is_smallest;
  for (std::size_t i = 0; i < set.cases.size(); ++i)
    set.cases[i].is_kept = std::ranges::binary_search(cover.sets, i);
  return set;
}

std::vector<CaseSet> read_cases(const std::vector<IndexInput>& files) {
  struct Results {
    std::optional<model::Coverage> coverage;
    std::optional<model::Mutation> mutation;
  };
  std::map<std::pair<std::string, std::string>, Results> tests;
  for (const IndexInput& input : files) {
    if (input.kind->name == "coverage") {
      model::Coverage coverage = model::read_coverage(input.file);
      std::optional<model::Coverage>& known = tests[{coverage.name, coverage.kernel}].coverage;
      known = std::move(coverage);
    } else if (input.kind->name == "mutation") {
      for (model::Mutation& mutation : model::read_mutations(input.file))
        if (mutation.oracle.empty()) // a program is one case
          tests[{mutation.name, mutation.kernel}].mutation = std::move(mutation);
    }
  }
  std::vector<CaseSet> sets;
  for (const auto& [names, results] : tests)
    if (auto set = cases_of(results.coverage ? &*results.coverage : nullptr,
                            results.mutation ? &*results.mutation : nullptr))
      sets.push_back(std::move(*set));
  return sets;
}

std::vector<std::string> redundant_cases(const std::vector<CaseSet>& sets) {
  std::vector<std::string> lines;
  for (const CaseSet& set : sets)
    if (set.has_outcomes && set.has_kills)
      for (const CaseWorth& one : set.cases)
        if (!one.is_kept)
          lines.push_back(
              fmt::format("{}: no outcome and no mutant needs case '{}'", label_of(set), one.name));
  return lines;
}

} // namespace gputest::report
