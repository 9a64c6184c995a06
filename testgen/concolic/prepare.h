// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares a lowered kernel for tracing and proofs.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Function.h>

namespace gputest::testgen {

// Turns variables into SSA values, and vectors into scalars where possible. Places __local
// variables in the launch's memory. Keeps every branch a branch.
void prepare(llvm::Function& item, ir::KernelShape& shape);

} // namespace gputest::testgen
