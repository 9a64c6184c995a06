// The function that runs a work-group, for kernels that others have instrumented.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Module.h>

#include <string>

namespace gputest::simulator {

// Gives `module`, whose item (lower.h) is instrumented and has become a coroutine if it has
// barriers, gputest_group (templates/simulator/groups.c, where work-items wait for others of their
// warp warps.c) and makes everything else internal.
// __local variables must have been placed (placed.h): the launch fills them. `definitions`: lines
// for groups.c, such as "#define GPUTEST_CHECKS 1\n".
void link_groups(llvm::Module& module, const KernelShape& shape,
                 const std::string& definitions = {});

} // namespace gputest::simulator
