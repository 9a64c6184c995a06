// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses few inputs that together reach all goals.
#pragma once

#include "testgen/goals/goals.h"
#include "testgen/outcome.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gputest::testgen {

struct Chosen {
  std::size_t input = 0;   // its index
  std::vector<Goal> goals; // those that no earlier chosen input reaches
};

// Chooses greedily: next comes the input that reaches most of the goals left, and among equals the
// first (Chvátal: A Greedy Heuristic for the Set-Covering Problem, 1979). `outcomes`: what each
// input did. Goals that no input reaches are left out.
std::vector<Chosen> smallest_cover(std::span<const Outcome> outcomes, std::vector<Goal> goals);

} // namespace gputest::testgen
