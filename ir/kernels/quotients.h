// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signed divisions whose quotient the type cannot hold: the smallest number by -1.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace gputest::ir {

bool is_signed_division(const llvm::BinaryOperator& operation);

// Returns whether all components of the divisor are constants other than 0 and, for signed
// divisions, other than -1.
bool is_harmless_divisor(const llvm::BinaryOperator& division);

llvm::Value* is_quotient_too_large(llvm::IRBuilder<>& builder,
                                   const llvm::BinaryOperator& division);

// Makes such quotients the smallest number, and such remainders 0, as GPUs do. Processors end the
// program instead, as for a division by zero.
void define_large_quotients(llvm::Module& module);

} // namespace gputest::ir
