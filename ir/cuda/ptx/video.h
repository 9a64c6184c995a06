// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's video instructions, on two halves or four bytes of a word at once, or on one word.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace gputest::ir {

bool is_video(llvm::StringRef instruction); // vadd2, vabsdiff4

// Returns the result of an instruction for a, b and the addend c; null: unknown. `parts`: parts of
// its name (vabsdiff4, u32, u32, u32, add).
llvm::Value* video(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::StringRef> parts,
                   llvm::Value* a, llvm::Value* b, llvm::Value* c);

bool is_scalar_video(llvm::StringRef instruction); // vadd, vabsdiff

// The same for instructions on one word, such as `vadd.u32.u32.u32.sat.max`. `values`: two or three
// operands. `selectors`: the parts of the first two (b0, h1), or "".
llvm::Value* scalar_video(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::StringRef> parts,
                          llvm::ArrayRef<llvm::Value*> values,
                          llvm::ArrayRef<llvm::StringRef> selectors);

} // namespace gputest::ir
