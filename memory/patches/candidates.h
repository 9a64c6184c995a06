// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proposes changes of a kernel's text that may bring accesses to other banks or sectors. Whether
// they leave its results, and help, shows only when the changed kernel runs (patches.h).
#pragma once

#include "frontend/parse.h"
#include "passes/mutation/mutants.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace gputest::memory {

struct Candidate {
  std::string text; // "rows of 'tile' padded by one element"
  std::vector<passes::mutation::TextChange> changes{};
  std::string variable{};        // __local; has no name where the ids change
  bool swaps_dimensions = false; // of the launch, too
};

struct Wanted {
  std::string kernel;                  // as users name it
  std::set<std::string> conflicting{}; // __local variables with conflicts in their banks
  bool uncoalesced = false;            // some accesses of global memory are
  std::size_t bank_row = 0;            // bytes of a word in each bank
};

// Returns, for each array whose uses are all subscripts, also in code that conditionals leave out:
// its rows padded by an element, its two subscripts swapped, its columns in another order in each
// row (swizzled), or an element left out after each row of banks. What is written again has macros
// by name, and a change that needs a certain size takes only a number that stands there. Returns
// for the kernel: the first two dimensions swapped in all ids and sizes that it asks for, if no
// other function asks.
std::vector<Candidate> candidates(const frontend::Tree& tree, const Wanted& wanted);

} // namespace gputest::memory
