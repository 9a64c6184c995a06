// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mutation/worth.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace gputest::model {
namespace {

// Returns 0, 1 or 2, as the list in worth.h counts from 1.
unsigned class_of(const Mutant& mutant, const KnownOfMutants& known) {
  const auto last = known.last.find(mutant.id);
  const bool is_new = !known.last.empty() && last == known.last.end();
  if (is_new || (known.is_changed && known.is_changed(mutant)))
    return 0;
  if (last == known.last.end())
    return 2;
  switch (last->second) {
  case Verdict::Survived:
  case Verdict::Undecided:
  case Verdict::NoCoverage:
  case Verdict::NotRun:
    return 1;
  default:
    return 2;
  }
}

} // namespace

std::map<std::string, Verdict> verdicts_by_id(const Mutation& mutation) {
  std::map<std::string, Verdict> verdicts;
  for (const MutantResult& result : mutation.results)
    verdicts[result.mutant.id] = result.verdict;
  return verdicts;
}

std::vector<std::size_t> by_worth(std::span<const Mutant* const> mutants,
                                  const KnownOfMutants& known) {
  std::set<std::tuple<unsigned, std::string, std::string, unsigned>> seen;
  std::vector<unsigned> ranks;
  for (const Mutant* const mutant : mutants) {
    const unsigned number = class_of(*mutant, known);
    const std::string name = mutant->operators.empty() ? "" : mutant->operators.front();
    const bool is_first = seen.emplace(number, name, mutant->file, mutant->line).second;
    ranks.push_back(2 * number + (is_first ? 0 : 1));
  }
  std::vector<std::size_t> order(mutants.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t index) { return ranks[index]; });
  return order;
}

} // namespace gputest::model
