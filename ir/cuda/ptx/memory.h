// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's instructions that access memory.
#pragma once

#include "ir/cuda/ptx/step.h"

namespace gputest::ir {

bool is_memory_access(const PtxTexts& parts); // ld, st, atom, red, cp.async, cvta, isspacep

// Translates the instruction; false: it is unknown. Addresses of shared memory have 32 bits. Copies
// are made at once, so waiting for them takes no time.
bool access_memory(const PtxStep& step);

// Returns the pointer of an operand such as `[a + 8]`; null: unknown. `shared`: to shared memory.
llvm::Value* place_of(llvm::IRBuilder<>& builder, PtxOperands& values, llvm::StringRef operand,
                      bool shared);

} // namespace gputest::ir
