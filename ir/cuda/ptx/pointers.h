// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns addresses in PTX, which are numbers, into pointers to variables.
#pragma once

#include <llvm/IR/Function.h>

namespace gputest::ir {

// An access whose address is computed from the address of a single variable, argument or private
// object becomes an access of that object, as in code from C++. Other accesses are not changed.
void point_into_objects(llvm::Function& function);

} // namespace gputest::ir
