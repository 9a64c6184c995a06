// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes reads past the ends of libclc's tables safe and repeatable.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

namespace gputest::ir {

// libclc reads past the ends of its tables when the bits do not matter (the reduction of
// sin(1e30)), and far from them when the result is discarded (cosh(INFINITY)). After this, a read
// just past the end returns zeros, and other reads outside return the first bytes. `tables`:
// constants, which are replaced by larger ones.
void guard_tables(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& tables);

} // namespace gputest::ir
