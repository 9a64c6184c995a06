// Inline PTX in the words of LLVM.
#pragma once

#include <llvm/IR/Instructions.h>

namespace gputest::simulator {

// Replaces a call of inline assembly by what its instructions do (instructions.h), with jumps
// between its own labels. False, and the call stays as it is: it has another instruction.
bool translate_ptx(llvm::CallInst& call);

} // namespace gputest::simulator
