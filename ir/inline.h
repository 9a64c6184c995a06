// One function out of a whole program.
#pragma once

#include "ir/kept.h"

#include <llvm/IR/Module.h>

namespace gputest::simulator {

// Inlines every call of a function with a body into `kernel`, but of those that are kept, and
// removes all other functions with a body. Throws SourceError for recursion, which OpenCL C does
// not have, naming the calls.
void inline_calls(llvm::Module& module, llvm::Function& kernel, Keep keep);

} // namespace gputest::simulator
