// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the function that runs a work-group, for kernels that others have instrumented.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <string_view>

namespace gputest::simulator {

// What is compiled behind the kernel.
struct GroupCode {
  std::string definitions = {};              // lines such as "#define GPUTEST_CHECKS 1\n"
  std::optional<std::string_view> file = {}; // instead of groups.c and warps.c
  std::string functions = {};                // C text that checks need
};

// Adds gputest_group(), or gputest_step(), to `module` (templates/simulator/groups.c, and warps.c
// if work-items wait for their warp) and makes everything else internal. The item
// (ir/kernels/lower.h) is instrumented and, if it has barriers, a coroutine or in segments.
// __local variables that have not been placed (ir/placed.h) are filled when a group begins.
void link_groups(llvm::Module& module, const ir::KernelShape& shape, const GroupCode& code = {});

} // namespace gputest::simulator
