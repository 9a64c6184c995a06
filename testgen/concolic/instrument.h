// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments a lowered kernel with labels: each value that may depend on inputs gets a label of 32
// bits, and so does each byte of memory (shadow.h).
//
// For example, `c = a + b` becomes
//
//     label(c) = label(a) | label(b) ? gputest_label_binary(Add, …) : 0
//
// If neither a nor b can depend on an input, no code is added. (Poeplau and Francillon, SymCC,
// USENIX Security 2020, section 4.) Nor is any if no event is about c, or about what is computed
// from it (relevance.h).
#pragma once

#include "testgen/concolic/chain.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/sites.h"

#include <llvm/IR/Function.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gputest::testgen {

// Built-in functions that become one node each: pure functions from numbers to a number with
// decisions, tables or more than a few operations.
class LibraryCalls {
public:
  // Takes these functions out of `module`, the compiled source with its built-ins. Calls then name
  // declared functions gputest_opaque.<n>. Marks the library code that stays, for
  // TracedSite::library.
  explicit LibraryCalls(llvm::Module& module);

  // Adds a pure intrinsic that has no operation of its own, and returns its number.
  unsigned add(llvm::Function& intrinsic);

  // Defines the declared functions in `module`, and gputest_calls, the table that Function::call is
  // read from.
  void link_into(llvm::Module& module);

  const std::vector<std::string>& names() const { return names_; } // "sin(float)"

private:
  std::unique_ptr<llvm::Module> bodies_;
  std::vector<std::string> names_;
  std::vector<llvm::Function*> intrinsics_; // null: bodies_ has it
};

struct Instrumented {
  std::vector<TracedSite> sites;
  std::vector<Chain> chains; // by the numbers that the code calls them by
  // For each place where threads wait for others of their warp, by its number in the kernel's
  // shape: the basic blocks whose decisions determine whether a thread gets there, by
  // TracedSite::block.first.
  std::map<std::uint32_t, std::set<std::uint32_t>> stops;
  std::vector<std::string> lost; // "t.cl:3:5: …": values whose expressions are not followed
};

// Instruments `item`, which prepare() has prepared (prepare.h).
Instrumented instrument(llvm::Function& item, LibraryCalls& library, Traceable what);

} // namespace gputest::testgen
