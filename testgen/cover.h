// The fewest inputs that reach all goals.
#pragma once

#include "testgen/goals.h"
#include "testgen/outcome.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gputest::testgen {

struct Chosen {
  std::size_t input = 0;   // its number
  std::vector<Goal> goals; // that none of those before it reaches
};

// Chooses inputs by what they did, those that reach most first (Chvátal: A Greedy Heuristic for the
// Set-Covering Problem, 1979), and of equals the first. Goals that none reaches are left out.
std::vector<Chosen> smallest_cover(std::span<const Outcome> outcomes, std::vector<Goal> goals);

} // namespace gputest::testgen
