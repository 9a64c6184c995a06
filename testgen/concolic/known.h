// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The labels of the latest operations, by what a kernel calls them with: work-items and iterations
// repeat each other. A table (table.h) would have to make constants of the operands' values, to
// simplify the operation, and to look for the result among all nodes.
#pragma once

#include "testgen/concolic/table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::testgen {

// Operations with at most so many operands.
template <std::size_t most_operands> class KnownOperations {
public:
  // Labels, or the values of operands without one.
  using Operands = std::array<std::uint64_t, most_operands>;

  // Returns the operation's label, which `make` returns if it is not known. `what` tells operations
  // with different results for the same operands apart, and is not 0.
  template <typename Make>
  Label find(std::uint32_t what, const Operands& operands, const Make& make) {
    std::array<Known, 2>& known = places_[place_of(what, operands)];
    for (const Known& one : known)
      if (one.what == what && is_same(one.operands, operands))
        return one.label;
    const Label label = make();
    known[1] = known[0];
    known[0] = {what, label, operands};
    return label;
  }

private:
  struct Known {
    std::uint32_t what = 0;
    Label label = 0;
    Operands operands{};
  };
  static constexpr unsigned kBits = 11;

  static std::size_t place_of(std::uint32_t what, const Operands& operands) {
    std::uint64_t hash = what * 0x9e3779b97f4a7c15U, factor = 0xbf58476d1ce4e5b9U;
    for (const std::uint64_t operand : operands) { // the products do not wait for each other
      hash += operand * factor;
      factor = factor * 0x94d049bb133111ebU + 2; // odd
    }
    return (hash ^ hash >> 32) * 0x9e3779b97f4a7c15U >> (64 - kBits);
  }

  // One by one: they have just been written one by one, and reading several at once would wait.
  static bool is_same(const Operands& a, const Operands& b) {
    bool same = true;
    for (std::size_t i = 0; i < most_operands; ++i)
      same = same && a[i] == b[i];
    return same;
  }

  // The latest operation of each place comes first.
  std::vector<std::array<Known, 2>> places_ =
      std::vector<std::array<Known, 2>>(std::size_t{1} << kBits);
};

} // namespace gputest::testgen
