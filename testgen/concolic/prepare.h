// A lowered kernel as tracing and proofs want it.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Function.h>

namespace gputest::testgen {

// Variables become values, vectors become numbers where that is possible, and __local variables are
// the launch's. Every branch stays a branch.
void prepare(llvm::Function& item, simulator::KernelShape& shape);

} // namespace gputest::testgen
