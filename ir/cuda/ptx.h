// Inline PTX in the words of LLVM.
#pragma once

#include <functional>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gputest::simulator {

// The value of a special register ("laneid"), of 32 or 64 bits; null: there is none of that name.
using SpecialRegister = std::function<llvm::Value*(llvm::IRBuilder<>&, llvm::StringRef name)>;

// Replaces a call of inline assembly by what its instructions do (PTX ISA): moves, arithmetic of
// integers and of float, bits, conversions, comparisons, accesses of global and shared memory,
// barriers, exchange within a warp, instructions of video. Instructions with a predicate choose.
// False, and the call stays as it is: it has another instruction, or jumps.
bool translate_ptx(llvm::CallInst& call, const SpecialRegister& special);

} // namespace gputest::simulator
