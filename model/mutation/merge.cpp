// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mutation/mutation.h"

#include "model/names.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace gputest::model {
namespace {

// Verdicts that say more come first.
constexpr std::array kOrder{Verdict::Killed,     Verdict::Timeout,    Verdict::Undecided,
                            Verdict::Survived,   Verdict::NoCoverage, Verdict::CompileError,
                            Verdict::Equivalent, Verdict::Duplicate,  Verdict::Ignored,
                            Verdict::NotRun};

std::size_t rank(Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::find(kOrder, verdict) - kOrder.begin());
}

template <typename Value>
void add_missing(std::vector<Value>& into, const std::vector<Value>& other) {
  for (const Value& value : other)
    if (std::ranges::find(into, value) == into.end())
      into.push_back(value);
}

void merge_result(MutantResult& into, const MutantResult& other) {
  MutantResult merged = rank(other.verdict) < rank(into.verdict) ? other : into;
  merged.reached_by = std::move(into.reached_by);
  merged.killed_by = std::move(into.killed_by);
  add_missing(merged.reached_by, other.reached_by);
  add_missing(merged.killed_by, other.killed_by);
  merged.runs = into.runs + other.runs;
  merged.seconds = into.seconds + other.seconds;
  into = std::move(merged);
}

} // namespace

void merge(Mutation& into, const Mutation& other) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < into.results.size(); ++i)
    places.emplace(into.results[i].mutant.id, i);
  bool is_overlapping = false;
  for (const MutantResult& result : other.results) {
    const auto [place, is_new] = places.emplace(result.mutant.id, into.results.size());
    if (is_new)
      into.results.push_back(result);
    else
      merge_result(into.results[place->second], result);
    is_overlapping = is_overlapping || !is_new;
  }
  // Parts divide the population. Runs on several devices share it.
  into.population = is_overlapping ? std::max(into.population, other.population)
                                   : into.population + other.population;
  if (!into.sample_seed)
    into.sample_seed = other.sample_seed;
  into.population = std::max<std::uint64_t>(into.population, into.results.size());
  add_name(into.device, other.device);
  add_name(into.oracle, other.oracle);
  into.sources.insert(other.sources.begin(), other.sources.end());
  add_missing(into.cases, other.cases);
  add_missing(into.operators, other.operators);
  add_missing(into.not_mutated, other.not_mutated);
  into.repeat = std::min(into.repeat, other.repeat);
  into.threshold = std::max(into.threshold, other.threshold);
  into.all_cases = into.all_cases && other.all_cases;
  into.time_limit = std::max(into.time_limit, other.time_limit);
  into.deterministic = into.deterministic && other.deterministic;
  into.seconds += other.seconds;
  into.executed += other.executed;
}

} // namespace gputest::model
