// What checks look at, out of the optimiser's reach: a read whose value nobody uses, `x / 0` and
// `a[5]` of four would be gone, or another fault, before anything is checked.
#pragma once

#include "ir/protected.h"
#include "simulator/checks/checks.h"

#include <llvm/IR/InstrTypes.h>

#include <vector>

namespace gputest::simulator {

// Makes calls of what simplify_lightly() must not touch in `item` (lower.h).
void protect(llvm::Function& item, const Checks& checks);

// Makes them what they were, but for members and components, which become checks. Returns the
// operations that are to be checked.
std::vector<llvm::BinaryOperator*> unprotect(llvm::Function& item);

// What follows definedness reports undefined arguments of `call`, and takes its result for defined.
void set_defined(llvm::CallInst& call);

} // namespace gputest::simulator
