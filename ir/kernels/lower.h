// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers IR for NVPTX to one function for the host: one work-item of one kernel.
#pragma once

#include "ir/kernel.h"
#include "ir/kernels/kept.h"
#include "ir/lowered_names.h"

namespace gputest::ir {

// Stop: threads of a CUDA kernel let others go on where they wait for memory to change
// (ir/cuda/spins.h). The caller must then run them until none can go on.
enum class Spins { Run, Stop };

// Reduces `module`, to which built-in functions are linked, to the function
//
//     void gputest_item(ptr context, ptr arguments, i64 x, i64 y, i64 z)
//
// and to functions that are kept (kept.h). `x`, `y` and `z` are the local id. `context` is a
// gputest_context (templates/simulator/context.h), and `arguments` is the block that the shape's
// parameters describe. All other calls are inlined. Barriers are calls of gputest_barrier(i32
// flags, i32 site). A thread waits for its warp with gputest_warp_stop(i32 site). The module is
// then for the host.
//
// Throws SourceError with places for recursion and undefined functions, and InputError if there is
// no such kernel.
KernelShape lower(llvm::Module& module, const std::string& kernel, Keep keep,
                  Spins spins = Spins::Run);

} // namespace gputest::ir
