// From IR for NVPTX to one function of the host that is one work-item of one kernel.
#pragma once

#include "ir/kept.h"
#include "ir/kernel.h"

namespace gputest::simulator {

// What the lowered function is called, and what is called where it waits.
constexpr const char* kItemFunction = "gputest_item";
constexpr const char *kBarrierFunction = "gputest_barrier", *kWarpFunction = "gputest_warp_stop";
// __threadfence and its like; the argument is 0 if it is for a block alone, and else 1. Calls of it
// are left where spins stop.
constexpr const char* kFenceFunction = "gputest_fence";

// Whether threads of CUDA's kernels let others go on where they wait for memory to change
// (cuda/spins.h): then somebody has to run them until none can go on.
enum class Spins { Run, Stop };

// Leaves of `module`, which has its built-ins, nothing but
//
//     void gputest_item(ptr context, ptr arguments, i64 x, i64 y, i64 z)
//
// `x`, `y`, `z` are the local id; `context` is a gputest_context (templates/simulator/context.h),
// `arguments` the block that the shape's parameters describe, and functions that are kept. All
// other calls are inlined; barriers are calls of gputest_barrier(i32 flags, i32 site), and where a
// thread waits for its warp of gputest_warp_stop(i32 site). The module is for the host from here
// on.
//
// Throws SourceError for recursion and for functions that nobody defines, each with its place, and
// InputError if there is no such kernel.
KernelShape lower(llvm::Module& module, const std::string& kernel, Keep keep,
                  Spins spins = Spins::Run);

// Calls of the item's code that the simulator answers (copies.h), with the work-item's linear id in
// its group and the site in front.
constexpr const char *kCopyFunction = "gputest_copy", *kWaitFunction = "gputest_wait_for";
constexpr unsigned kCopyTo = 2, kCopySize = 5; // which argument

} // namespace gputest::simulator
