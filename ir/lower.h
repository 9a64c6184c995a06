// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers IR for NVPTX to one function for the host: one work-item of one kernel.
#pragma once

#include "ir/kept.h"
#include "ir/kernel.h"

namespace gputest::simulator {

// The names of the lowered function and of the functions that it calls to wait.
constexpr const char* kItemFunction = "gputest_item";
constexpr const char *kBarrierFunction = "gputest_barrier", *kWarpFunction = "gputest_warp_stop";
// The synchronisation scope of CUDA's atomic accesses that only threads of one block take part in.
constexpr const char* kBlockScope = "block";

// __threadfence() and its like. The argument is 0 for a block-wide fence, and else 1. Calls stay
// only with Spins::Stop.
constexpr const char* kFenceFunction = "gputest_fence";

// Comes before an atomic operation of CUDA. Its argument is the operation's order, a value of
// std::memory_order. Calls stay only with Spins::Stop.
constexpr const char* kOrderFunction = "gputest_order";

// Asynchronous copies of a CUDA thread (simulator/checks/races/race_asyncs.h): begin(to, from,
// bytes, key, stage, site), commit(), wait(prior), bind(key, stage) and complete(key, stage). Calls
// stay only with Spins::Stop.
constexpr const char* kAsyncFunctions = "gputest_async_"; // their names begin so
constexpr const char* kAsyncBegin = "gputest_async_begin";
constexpr unsigned kAsyncSite = 5; // the index of an argument

// Stop: threads of a CUDA kernel let others go on where they wait for memory to change
// (cuda/spins.h). The caller must then run them until none can go on.
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

// Functions that the simulator implements (simulator/checks/copies.h). Their first arguments are
// the work-item's linear local id and the site.
constexpr const char *kCopyFunction = "gputest_copy", *kWaitFunction = "gputest_wait_for";
constexpr unsigned kCopyTo = 2, kCopySize = 5; // indices of arguments

} // namespace gputest::simulator
