// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel's work-groups access of the memory that they share, as expressions over ids, sizes
// and arguments. With the numbers of a launch, separate.h tells from it whether the groups may run
// at the same time.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Function.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator {

// An expression of `bits` bits, whose operands come before it in a table.
struct Term {
  enum class Kind {
    Constant,     // `value`
    GroupId,      // in dimension `value`
    LocalId,      // in dimension `value`
    Iteration,    // of loop `value`: 0 in the first
    Argument,     // bytes of the block of arguments, from `value` on
    Context,      // a word of the context (templates/simulator/context.h), from byte `value` on
    Unknown,      // any value
    Sum,          // and the following: of `left` and `right`
    Product,      //
    Quotient,     // of unsigned numbers
    SignedMost,   //
    SignedLeast,  //
    UnsignedMost, //
    UnsignedLeast,
    SignExtended, // and the following: of `left`
    ZeroExtended, //
    Truncated
  };
  Kind kind = Kind::Unknown;
  unsigned bits = 64;
  std::int64_t value = 0;
  unsigned left = 0, right = 0;
  bool operator==(const Term&) const = default;
};

// A comparison that holds wherever an access is made: left < right, or left <= right.
struct Comparison {
  unsigned left = 0, right = 0; // terms
  bool or_equal = false, is_signed = false;
  bool operator==(const Comparison&) const = default;
};

struct GroupAccess {
  int object = -1;                  // by its number in the shape; -1: any memory
  std::optional<unsigned> offset{}; // a term, bytes behind what the argument points to, or behind
                                    // the variable's begin; nullopt: anywhere in its object
  std::uint64_t size = 0;           // bytes
  bool writes = false;
  // Not 0: an atomic update of an integer whose result nobody uses. The order of updates with the
  // same number does not matter.
  unsigned update = 0;
  std::vector<unsigned> where{}; // comparisons
  bool operator==(const GroupAccess&) const = default;
};

// Where a loop is only repeated while a number is below, or above, a limit: the number is `start`
// in the first iteration, and each adds `step`. All three are terms.
struct GroupCount {
  unsigned start = 0, step = 0, limit = 0;
  bool or_equal = false, is_signed = false;
  bool down = false;     // repeated while it is above the limit
  bool at_begin = false; // compared before it is added to: the last number may be beyond the limit
  bool operator==(const GroupCount&) const = default;
};

struct GroupLoop {
  std::optional<unsigned> repeats{}; // how often it is repeated at most, a term of unsigned numbers
  std::optional<GroupCount> count{}; // if `repeats` is not known
  std::vector<unsigned> where{};     // comparisons that hold when it begins
  bool operator==(const GroupLoop&) const = default;
};

struct GroupAccesses {
  std::string unknown{}; // why groups must run one by one, whatever the launch; empty: see below
  std::vector<Term> terms{};
  std::vector<GroupLoop> loops{};
  std::vector<Comparison> comparisons{};
  std::vector<GroupAccess> accesses{};
  bool operator==(const GroupAccesses&) const = default;
};

// `item`: a simplified work-item (ir/kernels/lower.h), before it is cut.
GroupAccesses group_accesses(llvm::Function& item, const ir::KernelShape& shape);

} // namespace gputest::simulator
