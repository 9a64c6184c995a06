// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places where a traced kernel does something that depends on its inputs.
#pragma once

#include "ir/kernel.h"
#include "testgen/concolic/table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::testgen {

struct TracedSite {
  enum class Kind : std::uint8_t {
    Branch,     // on a condition
    Switch,     // on a number
    Select,     // c ? a : b without a branch
    Comparison, // whose result is a value
    Exchange,   // atomic_cmpxchg: whether the values were the same
    Address     // an access at an address that depends on inputs
  };
  Kind kind = Kind::Branch;
  model::CodePlace place; // in the author's source: where a condition begins, or its operator
  // Where the condition of a branch or selection is computed. For example, the branch on b in `a &&
  // b` has the place of the whole expression, and its condition has the place of b.
  model::CodePlace condition{};
  bool library = false; // within a built-in function, so no goal
  bool write = false;   // Address
  // The interval of the site's basic block in the tree of post-dominators, numbered depth first. A
  // block whose interval lies within that of another always reaches the other, whatever is decided.
  // 0 and 0: not known.
  struct {
    std::uint32_t first = 0, last = 0;
  } block{};
  bool in_loop = false;
  std::vector<std::uint64_t> cases{}; // Switch: the cases' values, cut to the width of the number
};

// One execution of a site that depended on inputs.
struct Event {
  static constexpr std::uint32_t kNoObject = ~std::uint32_t{0};

  std::uint32_t site = 0; // index in the trace's sites
  std::uint32_t item = 0; // linear group id * work-items of a full group + linear local id
  Label label = 0;        // the condition (1 bit); Switch: the number; Address: bytes from the
                          // object's begin, or the address where there is no object
  std::uint32_t object = kNoObject; // Address: its number in the kernel's shape
  std::uint64_t value = 0;          // the value of the label's expression in this run
  std::uint32_t bytes = 0;          // Address: how many were accessed
};

// Returns the way that a decision went: 0 or 1, or for a Switch the number of the case; the number
// of cases stands for the default.
std::size_t way_of(const TracedSite& site, const Event& event);

// Returns the condition, 1 bit, that the decision goes this way. For an Address: that the address
// stays.
Label is_way(Table& table, const TracedSite& site, const Event& event, std::size_t way);

} // namespace gputest::testgen
