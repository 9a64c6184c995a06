// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of functions of lowered code (ir/kernels/lower.h): its own, and those that it calls.
#pragma once

namespace gputest::ir {

// The lowered function, and the functions that it calls to wait.
constexpr const char* kItemFunction = "gputest_item";
constexpr const char *kBarrierFunction = "gputest_barrier", *kWarpFunction = "gputest_warp_stop";
// Ends the thread, from any function. Calls are replaced when their function is a part of the
// kernel.
constexpr const char* kExitFunction = "gputest_exit";
// The synchronisation scope of CUDA's atomic accesses that only threads of one block take part in.
constexpr const char* kBlockScope = "block";

// __threadfence() and its like. The argument is a FenceKind. Calls stay only with Spins::Stop.
constexpr const char* kFenceFunction = "gputest_fence";
enum FenceKind : unsigned { kFenceOfBlock, kFenceOfDevice, kSequentialFence }; // of the device

// Comes before an atomic operation of CUDA. Its argument is the operation's order, a value of
// std::memory_order. Calls stay only with Spins::Stop.
constexpr const char* kOrderFunction = "gputest_order";

// Asynchronous copies of a CUDA thread (simulator/checks/races/race_asyncs.h): begin(to, from,
// bytes, key, stage, site), commit(), wait(prior), bind(key, stage) and complete(key, stage). And
// its arrivals at a barrier that others may wait for: arrive(word, phase, waits), where `waits` is
// 1 if it does nothing before it waits for the phase, too. Calls stay only with Spins::Stop.
constexpr const char* kAsyncFunctions = "gputest_async_"; // their names begin so
constexpr const char* kAsyncBegin = "gputest_async_begin";
constexpr unsigned kAsyncSite = 5; // the index of an argument
constexpr const char* kAsyncArrive = "gputest_async_arrive";

// Functions that the simulator implements (simulator/checks/copies.h). Their first arguments are
// the work-item's linear local id and the site.
constexpr const char *kCopyFunction = "gputest_copy", *kWaitFunction = "gputest_wait_for";
constexpr unsigned kCopyTo = 2, kCopySize = 5; // indices of arguments

} // namespace gputest::ir
