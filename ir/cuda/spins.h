// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loops in which a thread waits for what others write: flags, locks and counters.
#pragma once

#include <llvm/IR/Function.h>

namespace gputest::ir {

// gputest_poll(ptr) is called before each read that such a loop waits for. note_changes()
// (spin_changes.h) replaces the calls.
constexpr const char* kPollFunction = "gputest_poll";

// Inserts a stop (a call of gputest_warp with GPUTEST_WARP_SPIN) on the way back of each loop of
// `item` (ir/kernels/lower.h) that waits, so that other threads go on. A loop waits if an exit
// depends on memory that others may write meanwhile. The memory is read by volatile or atomic
// reads, or by atomic operations that may leave the old value, such as those of locks. A sum with
// atomicCAS does not wait, because it fails only if another thread comes in between. Exits that
// lead only to a trap or a failed assertion do not count, unless all exits do. Reads of a variant's
// own state do not count either.
void stop_in_spins(llvm::Function& item);

// In a kernel with volatile reads, gives the loads that decide whether a loop goes on the metadata
// kPolled. What they read is a message, such as a flag, and no data.
void mark_polls(llvm::Function& item);
constexpr const char* kPolled = "gputest.polled";

// Whether the function has such reads, so that a loop that calls it may wait.
bool reads_what_others_write(const llvm::Function& function);

// Metadata of loads that are neither volatile nor atomic, but may be waited for.
constexpr const char* kMayWait = "gputest.may_wait";

// Metadata of calls of kWarpFunction on the way back of waiting loops.
constexpr const char* kSpinMark = "gputest.spin";

} // namespace gputest::ir
