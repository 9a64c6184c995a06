// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/protected.h"

namespace gputest::ir {

const llvm::CallInst* protected_call(const llvm::Value* value, const char* kind) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(kind)
             ? call
             : nullptr;
}

} // namespace gputest::ir
