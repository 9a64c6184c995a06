// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes the numbers of a buffer until they obey what a requirement says about all of them.
#pragma once

#include "testgen/inputs/random.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace gputest::testgen {

// What is wanted of the elements, as numbers that a double holds exactly.
struct ElementRules {
  bool ascending = false, strictly = false; // `strictly`: no two are equal, either
  bool distinct = false, permutation = false;
  bool whole = true;                     // integers
  double low = 0, high = 0;              // both included
  std::vector<double> values{};          // these and no others; empty: any
  std::map<std::size_t, double> fixed{}; // by index
  std::optional<double> sum{};
  std::function<bool(double)> holds{};    // all(x in b: …); null: nothing is asked of one element
  std::vector<double> hints{};            // numbers with which `holds` compares
  std::function<double(double)> stored{}; // the number as the element's type has it
};

// Changes as few elements as is simple, and those by as little: a change of a good input stays a
// small one. `random`: draws an element anew that is out of its range. Null: it gets the nearest
// value, and the same numbers give the same result. The result may break a rule where no numbers
// obey all of them, and where they hinder each other.
void obey(std::vector<double>& numbers, const ElementRules& rules, Random* random);

} // namespace gputest::testgen
