// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates LLVM's operators to those of expressions (memory/static/kernel.h).
#pragma once

#include "memory/static/kernel.h"

#include <llvm/IR/Instructions.h>

#include <optional>

namespace gputest::memory {

// Returns nullopt if expressions have no such operator. A subtraction has none: it is an addition
// with the second operand multiplied by -1.
std::optional<Operator> operator_of(const llvm::Instruction& instruction);

// Returns the operator of an integer comparison. "Greater" is "less" with swapped operands.
Operator operator_of(llvm::CmpInst::Predicate predicate);

} // namespace gputest::memory
