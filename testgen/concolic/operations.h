// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates LLVM's instructions to operations of the table, for tracing and proofs.
#pragma once

#include "testgen/concolic/table.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace gputest::testgen {

// Returns the width in bits of a value that fits into a node: an integer, a pointer or a
// floating-point number of 32 or 64 bits. Returns 0 for other types, and the width of an element
// for a vector.
unsigned width_of(const llvm::Type& type);

// These return nullopt if the table has no such operation.
// A binary operation or a unary minus.
std::optional<Op> operation_of(const llvm::Instruction& instruction);

// A conversion. A cast between types of the same width is Op::ZExt.
std::optional<Op> conversion_of(const llvm::CastInst& cast);

// A comparison in the table's operations: `first`, combined by or with `second` if there is one,
// then negated if `negated`. `swapped`: `first` takes its operands in the other order.
struct Comparison {
  Op first = Op::Equal;
  std::optional<Op> second{}; // FUnordered, whose operands are not swapped
  bool swapped = false, negated = false;
};
// Returns nullopt for predicates that are always true or always false.
std::optional<Comparison> comparison_of(llvm::CmpInst::Predicate predicate);

// A pure intrinsic with one to three operands of one type.
std::optional<Op> intrinsic_operation(llvm::Intrinsic::ID id);

// Returns whether `function` is a pure function of at most three numbers.
bool is_function_of_numbers(const llvm::Function& function);

} // namespace gputest::testgen
