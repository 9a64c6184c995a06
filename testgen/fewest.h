// The fewest inputs that reach all that was reached, each as small as it may be.
#pragma once

#include "testgen/cover.h"
#include "testgen/fuzzer.h"
#include "testgen/mutants/kills.h"

#include <functional>
#include <vector>

namespace gputest::testgen {

struct Fewest {
  std::vector<Input> inputs;
  std::vector<Chosen> cases; // numbers of these
};

// What looked for inputs, and shrinks them.
struct Finders {
  const Target& target;
  const Constraints& constraints;
  Kills* kills; // null: no mutants
  Mutator& mutator;
  Worker& worker;
  Fuzzer& fuzzer;
};

// Does what it is given if there is time for it, says until when, and catches OutOfTime.
using Within = std::function<void(const std::function<void(Deadline until)>&)>;

// Of the fuzzer's valid inputs but the first `before`: those that reach `wanted`. Among those that
// reach as much, first the ones whose outputs tell something, and with several groups.
Fewest fewest_inputs(const Finders& finders, const std::vector<Goal>& wanted, std::size_t before,
                     const Within& within);

} // namespace gputest::testgen
