// PTX's instructions of video: two halves or four bytes of a word at once, or one word.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace gputest::simulator {

bool is_video(llvm::StringRef instruction); // vadd2, vabsdiff4

// What `parts` (vabsdiff4, u32, u32, u32, add) gives for a, b and the addend c; null: unknown.
llvm::Value* video(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::StringRef> parts,
                   llvm::Value* a, llvm::Value* b, llvm::Value* c);

bool is_scalar_video(llvm::StringRef instruction); // vadd, vabsdiff

// The same of one word, or a part of it: `values` are two or three, and `selectors` has for the
// first two the parts (b0, h1) or nothing. `vadd.u32.u32.u32.sat.max`; null: unknown.
llvm::Value* scalar_video(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::StringRef> parts,
                          llvm::ArrayRef<llvm::Value*> values,
                          llvm::ArrayRef<llvm::StringRef> selectors);

} // namespace gputest::simulator
