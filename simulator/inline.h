// One function out of a whole program.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::simulator {

// Inlines every call of a function with a body into `kernel` and removes all other functions with a
// body. Throws SourceError for recursion, which OpenCL C does not have, naming the calls.
void inline_everything(llvm::Module& module, llvm::Function& kernel);

} // namespace gputest::simulator
