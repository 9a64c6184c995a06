// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of floating-point numbers to integers in CUDA's device code, as PTX does them.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace gputest::ir {

// Makes conversions of numbers that the integer does not have give its least or greatest value, as
// PTX does (PTX ISA, "cvt"). C++ leaves them undefined, and processors give other values. Integers
// of fewer than 32 bits are cut from those of 32.
void saturate_conversions(llvm::Module& module);

// Converts `value`, of a type that is at least 32 bits wide. What is no number becomes 0, or the
// highest bit alone from double and to 64 bits.
llvm::Value* saturated_integer(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Type* to,
                               bool is_signed);

} // namespace gputest::ir
