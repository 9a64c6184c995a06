// Functions that stay (kept.h) and use variables whose place the launch says.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

namespace gputest::simulator {

// Functions beside `item` (lower.h) that use one of the variables, or call one that does, get what
// is the item's first argument as theirs.
void give_context(llvm::Function& item, llvm::ArrayRef<llvm::GlobalVariable*> variables);

} // namespace gputest::simulator
