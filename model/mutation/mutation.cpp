// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mutation/mutation.h"

#include "model/names.h"
#include "model/operators.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gputest::model {

std::uint64_t Tallies::of(Verdict verdict) const {
  const auto found = count.find(verdict);
  return found == count.end() ? 0 : found->second;
}

std::uint64_t Tallies::detected() const {
  return of(Verdict::Killed) + of(Verdict::Timeout);
}

std::uint64_t Tallies::scored() const {
  return detected() + of(Verdict::Survived) + of(Verdict::NoCoverage) + of(Verdict::Undecided);
}

std::optional<double> Tallies::score() const {
  if (scored() == 0)
    return std::nullopt;
  return 100.0 * static_cast<double>(detected()) / static_cast<double>(scored());
}

bool is_indistinct(const MutantResult& result) {
  return (result.verdict == Verdict::Survived || result.verdict == Verdict::NoCoverage) &&
         result.mutant.operators == std::vector<std::string>{"fence_replacement"};
}

bool lacks_oracle(const Mutation& mutation) {
  bool has_survivors = false;
  for (const MutantResult& result : mutation.results) {
    has_survivors =
        has_survivors || (result.verdict == Verdict::Survived && !is_indistinct(result));
    if (result.verdict == Verdict::Killed &&
        (result.reason == KillReason::ProgramFailed || result.reason == KillReason::WrongOutput))
      return false;
  }
  return has_survivors && !mutation.oracle.empty();
}

void add(Tallies& tallies, const MutantResult& result) {
  if (is_indistinct(result))
    ++tallies.indistinct;
  else
    ++tallies.count[result.verdict];
  ++tallies.total;
}

Tallies tally(std::span<const MutantResult> results) {
  Tallies tallies;
  for (const MutantResult& result : results)
    add(tallies, result);
  return tallies;
}

std::vector<std::pair<std::string, Tallies>>
tally_by_operator(std::span<const Mutation> mutations) {
  std::map<std::string, Tallies, std::less<>> by_name;
  for (const Mutation& mutation : mutations)
    for (const MutantResult& result : mutation.results)
      for (const std::string& name : result.mutant.operators)
        add(by_name[name], result);
  std::vector<std::pair<std::string, Tallies>> tallies;
  for (const MutationOperator& known : mutation_operators())
    if (const auto found = by_name.find(known.name); found != by_name.end())
      tallies.emplace_back(*found);
  for (const auto& entry : by_name) // operators of another version, in order of name
    if (find_operator(entry.first) == nullptr)
      tallies.emplace_back(entry);
  return tallies;
}

std::optional<Interval> confidence(const Tallies& sample, std::uint64_t population) {
  const auto score = sample.score();
  if (!score)
    return std::nullopt;
  if (population <= sample.total)
    return Interval{.low = *score, .high = *score};
  // The population also counts mutants that are not scored. Its scored share is assumed to be that
  // of the sample.
  const auto drawn = static_cast<double>(sample.scored());
  const double all = drawn * static_cast<double>(population) / static_cast<double>(sample.total);
  // A sample of n out of N without replacement is worth one of n * (N - 1) / (N - n) with
  // replacement.
  const double n = drawn * std::max(all - 1, 1.0) / (all - drawn);
  constexpr double z = 1.959963984540054; // of the normal distribution, 95 %
  const double p = *score / 100, shrink = 1 + z * z / n;
  const double middle = (p + z * z / (2 * n)) / shrink;
  const double half = z / shrink * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return Interval{.low = 100 * std::max(0.0, middle - half),
                  .high = 100 * std::min(1.0, middle + half)};
}

} // namespace gputest::model
