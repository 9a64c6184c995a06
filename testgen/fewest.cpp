// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/fewest.h"

#include "testgen/inputs/case_file.h"
#include "testgen/shrink.h"

#include <algorithm>
#include <numeric>

namespace gputest::testgen {
namespace {

// Adds all kills of a valid input, also of mutants that another input has killed before.
void add_kills(Kills* kills, const Input& input, Outcome& outcome,
               const std::vector<Goal>& wanted) {
  if (kills)
    kills->add(input, outcome, [&](const Goal& goal) {
      return std::ranges::find(wanted, goal.bit, &Goal::bit) != wanted.end();
    });
}

} // namespace

Fewest fewest_inputs(const Finders& finders, const std::vector<Goal>& wanted, std::size_t before,
                     const Within& within) {
  const auto& [target, constraints, kills, mutator, worker, search] = finders;
  // What existing cases reach needs no further case.
  std::vector<Outcome> outcomes(search.outcomes().begin() + static_cast<std::ptrdiff_t>(before),
                                search.outcomes().end());
  within([&](Deadline) {
    for (std::size_t i = 0; kills && i < outcomes.size(); ++i)
      add_kills(kills, search.valid()[before + i], outcomes[i], wanted);
  });
  std::vector<std::size_t> order(outcomes.size());
  std::iota(order.begin(), order.end(), before);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return 2 * search.weak(i) + (search.valid()[i].shape.group_count() == 1);
  });
  // Inputs with a finding of CHECK are for what no other reaches.
  std::vector<Chosen> all;
  for (const bool silent : {true, false}) {
    std::vector<Goal> left = wanted;
    std::erase_if(left, [&](const Goal& goal) {
      return std::ranges::any_of(all, [&](const Chosen& chosen) {
        return std::ranges::find(chosen.goals, goal.bit, &Goal::bit) != chosen.goals.end();
      });
    });
    std::vector<Outcome> ordered;
    std::vector<std::size_t> inputs;
    for (const std::size_t i : order)
      if (search.silent(i) == silent) {
        ordered.push_back(outcomes[i - before]);
        inputs.push_back(i);
      }
    for (Chosen& chosen : smallest_cover(ordered, left)) {
      chosen.input = inputs[chosen.input];
      all.push_back(std::move(chosen));
    }
  }
  Fewest fewest;
  std::vector<Outcome> small;
  for (const Chosen& chosen : all) {
    fewest.inputs.push_back(search.valid()[chosen.input]);
    small.push_back(outcomes[chosen.input - before]);
    make_writable(target, fewest.inputs.back());
    within([&](Deadline until) {
      search.tell("shrinking");
      std::vector<unsigned> bits;
      for (const Goal& goal : chosen.goals)
        bits.push_back(goal.bit);
      Shrinker shrinker(target, constraints, kills, mutator, worker, until);
      Input input = shrinker.shrunk(fewest.inputs.back(), bits);
      make_writable(target, input);
      Outcome outcome = worker.run(input);
      add_kills(kills, input, outcome, wanted);
      fewest.inputs.back() = std::move(input);
      small.back() = std::move(outcome);
    });
  }
  // Chooses once more: a shrunk input may do what another one did, or less.
  fewest.cases = smallest_cover(small, wanted);
  return fewest;
}

} // namespace gputest::testgen
