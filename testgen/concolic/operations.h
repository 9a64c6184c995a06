// LLVM's instructions as operations of the table: what tracing and proofs share.
#pragma once

#include "testgen/concolic/table.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace gputest::testgen {

// Bits of a value that fits into a node: an integer, a pointer or a floating-point number of 32 or
// 64 bits; 0: of another type. Of a vector its elements'.
unsigned width_of(const llvm::Type& type);

// A binary operation or a unary minus.
std::optional<Op> operation_of(const llvm::Instruction& instruction);

// A conversion; that between types of one width is Op::ZExt.
std::optional<Op> conversion_of(const llvm::CastInst& cast);

// A comparison in the operations that there are: `first`, then `or` `second` if it has one, with
// operands swapped, and the whole negated.
struct Comparison {
  Op first = Op::Equal;
  std::optional<Op> second{}; // or'ed; not swapped: FUnordered
  bool swapped = false, negated = false;
};
// None: always true or false.
std::optional<Comparison> comparison_of(llvm::CmpInst::Predicate predicate);

// A pure intrinsic of one to three operands of one type that has an operation.
std::optional<Op> intrinsic_operation(llvm::Intrinsic::ID id);

// One that is some function of at most three numbers and does nothing else.
bool is_function_of_numbers(const llvm::Function& function);

} // namespace gputest::testgen
