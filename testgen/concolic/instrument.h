// Makes a lowered kernel carry labels: 32 bits beside each value that may depend on inputs, and a
// label for each byte of memory (shadow.h).
//
// What is done for a value is done where a label is not 0 only: `c = a + b` becomes
//
//     label(c) = label(a) | label(b) ? gputest_label_binary(Add, …) : 0
//
// and nothing at all where neither can depend on an input. (Poeplau and Francillon, SymCC, USENIX
// Security 2020, section 4.)
#pragma once

#include "testgen/concolic/sites.h"

#include <llvm/IR/Function.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gputest::testgen {

// Built-in functions that become one node each: those with decisions, tables or more than a few
// operations, from numbers to a number.
class LibraryCalls {
public:
  // Takes them out of `module`, the compiled source with its built-ins: calls are of declared
  // functions gputest_opaque.<n> from here on. Marks what is left of the library, for
  // TracedSite::library.
  explicit LibraryCalls(llvm::Module& module);

  // Another one: a pure intrinsic without an operation of its own. Its number.
  unsigned add(llvm::Function& intrinsic);

  // Defines the functions, and the table gputest_calls of functions that take bits and give bits.
  void link_into(llvm::Module& module);

  const std::vector<std::string>& names() const { return names_; } // "sin(float)"

private:
  std::unique_ptr<llvm::Module> bodies_;
  std::vector<std::string> names_;
  std::vector<llvm::Function*> intrinsics_; // null: bodies_ has it
};

struct Instrumented {
  std::vector<TracedSite> sites;
  // Where threads wait for others of their warp, by the place's number in the kernel's shape: the
  // blocks whose decisions decide whether a thread comes by (TracedSite::block, first).
  std::map<std::uint32_t, std::set<std::uint32_t>> stops;
  std::vector<std::string> lost; // "t.cl:3:5: …": values whose expressions are not followed
};

// `item`: lowered, with __local variables placed and without variables that could be values.
// `launch_sizes`: sizes of the launch have labels, too.
Instrumented instrument(llvm::Function& item, LibraryCalls& library, bool launch_sizes);

} // namespace gputest::testgen
