// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures how far conditions are from being true.
#pragma once

#include "testgen/concolic/evaluate.h"

#include <vector>

namespace gputest::testgen {

class Distance {
public:
  Distance(const Table& table, const std::vector<Label>& conditions, const Functions* functions);

  // Returns the sum over the conditions: 0 for each that is true for the values of the units, and a
  // number in (0, 1] for each other.
  double of(const std::vector<std::uint64_t>& values);

  const Tape& tape() const { return tape_; }

private:
  double distance(Label condition, bool wanted) const;
  double comparison(const Node& node, bool wanted) const;

  const Table& table_;
  std::vector<Label> conditions_;
  Tape tape_;
};

} // namespace gputest::testgen
