// PTX's instructions that access memory.
#pragma once

#include "ir/cuda/ptx/step.h"

namespace gputest::simulator {

bool is_memory_access(const PtxTexts& parts); // ld, st, atom, red, cp.async, cvta, isspacep

// What the instruction does; false: unknown. Addresses of shared memory
// have 32 bits. Copies are made at once, so that nobody has to wait for them.
bool access_memory(const PtxStep& step);

// The pointer that `[a + 8]` is, of shared memory or of any; null: unknown.
llvm::Value* place_of(llvm::IRBuilder<>& builder, PtxOperands& values, llvm::StringRef operand,
                      bool shared);

} // namespace gputest::simulator
