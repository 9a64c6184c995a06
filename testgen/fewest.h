// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses few inputs that reach everything that was reached, and shrinks each.
#pragma once

#include "testgen/cover.h"
#include "testgen/input_search.h"
#include "testgen/kills.h"

#include <functional>
#include <vector>

namespace gputest::testgen {

struct Fewest {
  std::vector<Input> inputs;
  std::vector<Chosen> cases; // Chosen::input is an index of `inputs`
};

// The objects that search for inputs, which also shrink them.
struct Finders {
  const Target& target;
  const Constraints& constraints;
  Kills* kills; // null: no mutants
  Mutator& mutator;
  Worker& worker;
  InputSearch& search;
};

// Calls a function with a deadline if there is time for it, and catches OutOfTime.
using Within = std::function<void(const std::function<void(Deadline until)>&)>;

// Chooses among the search's valid inputs, without the first `before`, few that reach the goals
// `wanted`. Among inputs that reach equally many, it prefers those that are not weak (weak.h), and
// those with several work-groups.
Fewest fewest_inputs(const Finders& finders, const std::vector<Goal>& wanted, std::size_t before,
                     const Within& within);

} // namespace gputest::testgen
