// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates inline PTX to LLVM IR.
#pragma once

#include <llvm/IR/Instructions.h>

namespace gputest::ir {

// Replaces a call of inline assembly by the translation of its instructions (instructions.h), with
// jumps between its own labels. Returns false, with the call unchanged, if an instruction is
// unknown.
bool translate_ptx(llvm::CallInst& call);

} // namespace gputest::ir
