// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the function that runs a work-group, for kernels that others have instrumented.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Module.h>

#include <string>

namespace gputest::simulator {

// Adds gputest_group() to `module` (templates/simulator/groups.c, and warps.c if work-items wait
// for their warp) and makes everything else internal. The item (ir/kernels/lower.h) is instrumented
// and, if it has barriers, a coroutine. __local variables must have been placed (ir/placed.h).
// `definitions`: lines for groups.c, such as "#define GPUTEST_CHECKS 1\n".
void link_groups(llvm::Module& module, const KernelShape& shape,
                 const std::string& definitions = {});

} // namespace gputest::simulator
