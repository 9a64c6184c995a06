// PTX's special registers, of which each thread has its own values.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace gputest::simulator {

// The value of `name` ("tid.x", "laneid"), of 32 or 64 bits; null: there is none of that name.
llvm::Value* special_register(llvm::IRBuilder<>& builder, llvm::StringRef name);

} // namespace gputest::simulator
