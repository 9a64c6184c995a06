// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds mutants that may leave memory without a value: they delete or weaken an assignment to a
// private variable that its declaration does not initialise, or a write to on-chip memory.
#pragma once

#include "passes/mutation/proposals.h"

#include <set>

namespace gputest::passes::mutation {

bool weakens_assignment(const Proposal& proposal);

// Assignments to __local and __shared__ memory in a tree.
class OnChipWrites {
public:
  explicit OnChipWrites(const frontend::Tree& tree);

  // Whether the mutant leaves out such a write, decides otherwise whether or where it happens, or
  // makes it an update of what is there.
  bool weakens(const Proposal& proposal) const;

private:
  std::set<const clang::Stmt*> deciding_; // conditions of statements with such writes, and targets
};

} // namespace gputest::passes::mutation
