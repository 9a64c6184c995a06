// Where a traced kernel does something that depends on its inputs.
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
  model::CodePlace place; // in the author's source: where a condition begins, or of an operator
  // Where what a branch or a selection decides by is computed: of `a && b` the branch on b is at
  // the place of the whole, and its condition is not.
  model::CodePlace condition{};
  bool library = false; // within a built-in function: nobody's goal
  bool write = false;   // Address
  // Numbers of its block in the tree of post-dominators, depth first: the blocks that have theirs
  // between the two of another come by that one, whatever is decided. 0 and 0: not known.
  struct {
    std::uint32_t first = 0, last = 0;
  } block{};
  bool in_loop = false;
  std::vector<std::uint64_t> cases{}; // Switch: cut to the width of its number
};

// What happened at one, where it depended on inputs.
struct Event {
  static constexpr std::uint32_t kNoObject = ~std::uint32_t{0};

  std::uint32_t site = 0; // index in the trace's sites
  std::uint32_t item = 0; // linear group id * work-items of a full group + linear local id
  Label label = 0;        // the condition (1 bit); Switch: the number; Address: bytes from the
                          // object's begin, or the address where there is no object
  std::uint32_t object = kNoObject; // Address: of the kernel's shape
  std::uint64_t value = 0;          // what the label's expression was
  std::uint32_t bytes = 0;          // Address: so many were accessed
};

// The way that a decision went: the number of a switch's case, or of none of them; else 0 or 1.
std::size_t way_of(const TracedSite& site, const Event& event);

// That it goes this way: 1 bit. Of an address: that it stays.
Label is_way(Table& table, const TracedSite& site, const Event& event, std::size_t way);

} // namespace gputest::testgen
