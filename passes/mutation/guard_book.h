// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers by which guards and votes report what they stopped.
#pragma once

#include "model/mutation/mutants.h"
#include "passes/dataflow/barriers.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::passes::mutation {

// Numbers of guards, in order of first mention.
class GuardBook {
public:
  explicit GuardBook(const frontend::Tree& tree) : tree_(tree) {}
  // Takes the numbers from `known`, and 0 for guards that `known` lacks. For texts other than
  // mutants.cl, whose guards keep the numbers of the table.
  GuardBook(const frontend::Tree& tree, const model::MutantTable& known);

  unsigned number(const clang::Stmt& node, const std::string& function);
  // The number of a new vote.
  unsigned vote(const Decision& decision, std::size_t index);
  std::vector<model::Guard> guards;

private:
  model::Guard guard(const clang::Stmt& node, const std::string& function) const;
  const frontend::Tree& tree_;
  std::map<const clang::Stmt*, unsigned> numbers_;
  const model::MutantTable* known_ = nullptr;
};

} // namespace gputest::passes::mutation
