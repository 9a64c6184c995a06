// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Protects what checks examine from the optimiser. For example, it would remove an unused read, and
// `x / 0` and `a[5]` of four elements, before they are checked.
#pragma once

#include "ir/protected.h"
#include "simulator/checks/checks.h"

#include <llvm/IR/InstrTypes.h>

#include <vector>

namespace gputest::simulator {

// Replaces what simplify_lightly() must not change in `item` (ir/kernels/lower.h) by calls.
void protect(llvm::Function& item, const Checks& checks);

// Restores the protected operations, except members and components, which become checks. Returns
// the operations to be checked.
std::vector<llvm::BinaryOperator*> unprotect(llvm::Function& item);

// Makes the tracking of definedness report undefined arguments of `call` and treat its result as
// defined.
void set_defined(llvm::CallInst& call);

} // namespace gputest::simulator
