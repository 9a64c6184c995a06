// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of work-items of a full sub-group in the simulator: 8, 16, 32 or 64; and which of them
// run in lock step (kernels/lock_step.h).
#pragma once

#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <vector>

namespace gputest::ir {

// The macro, and the variable of the environment, that ask for a size. The macro comes first.
constexpr const char* kSubGroupSize = "GPUTEST_SUB_GROUP_SIZE";

// Keeps the number of lanes of a warp or sub-group with the module, and returns it; 32: nothing was
// decided.
void decide_lanes(llvm::Module& module, unsigned lanes);
unsigned decided_lanes(const llvm::Module& module);

// Decides on the size for OpenCL C: `GPUTEST_SUB_GROUP_SIZE=16` of `definitions`, or the variable
// of the environment. Throws InputError for other sizes. Without either it is 32.
void choose_sub_group_size(llvm::Module& module, const std::vector<std::string>& definitions);

// Returns the size for a kernel of the module: that of its attribute intel_reqd_sub_group_size, or
// the one that was decided. Throws SourceError if the attribute has another size.
unsigned sub_group_size_of(const llvm::Function& kernel);

// Keeps with the module what `definitions` of OpenCL C ask for (model/launches/lock_step.h). Such
// work-items are also a sub-group, whatever the environment says. Throws InputError for other
// numbers than model::kLockSteps, and where `definitions` ask for sub-groups of another size.
void choose_lock_step(llvm::Module& module, const std::vector<std::string>& definitions);

// The same for device code of CUDA, which has a marker instead (gputest_cuda/warps.h). Removes it.
// Throws SourceError if it is not for warps of the size that was decided on.
void take_lock_step(llvm::Module& module);

std::optional<unsigned> lock_step_of(const llvm::Module& module); // what was asked for

} // namespace gputest::ir
