// PTX's SIMD instructions of video: two halves or four bytes of a word at once.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace gputest::simulator {

bool is_video(llvm::StringRef instruction); // vadd2, vabsdiff4

// What `parts` (vabsdiff4, u32, u32, u32, add) gives for a, b and the addend c; null: unknown.
llvm::Value* video(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::StringRef> parts,
                   llvm::Value* a, llvm::Value* b, llvm::Value* c);

} // namespace gputest::simulator
