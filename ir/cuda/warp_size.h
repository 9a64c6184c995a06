// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of threads of a warp: 32 as on NVIDIA's GPUs, or 64 as on AMD's larger ones. The user
// chooses it when a program runs; otherwise the code says it.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Functions without a body that device code calls: unsigned gputest_warp_size(), and one that code
// calls where it works for warps of 32 threads only.
constexpr const char *kWarpSizeFunction = "gputest_warp_size",
                     *kNeeds32Function = "gputest_needs_warps_of_32";

// Returns what model::kWarpSize in the environment asks for; 0: nothing. Throws InputError if that
// is neither 32 nor 64.
unsigned wanted_warp_size();

// Decides on the size for linked device code: the wanted one, or the default of the code, or 32.
// Gives `warpSize` its value. Removes the markers of cuda/include/gputest_cuda/warps.h that say
// what the code expects. Throws SourceError if the code has been compiled for another size.
void choose_warp_size(llvm::Module& module);

// Replaces the calls of kWarpSizeFunction by what was decided.
void settle_warp_size(llvm::Module& module);

unsigned warp_size_of(const llvm::Module& module); // what was decided; 32: nothing was

} // namespace gputest::ir
