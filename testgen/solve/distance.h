// How far conditions are from holding.
#pragma once

#include "testgen/concolic/evaluate.h"

#include <vector>

namespace gputest::testgen {

class Distance {
public:
  Distance(const Table& table, const std::vector<Label>& conditions, const Functions* functions);

  // 0: all hold. Each condition that does not adds something in (0, 1].
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
