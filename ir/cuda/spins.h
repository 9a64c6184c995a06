// Loops in which a thread waits for what others write: flags, locks, counters.
#pragma once

#include <llvm/IR/Function.h>

namespace gputest::simulator {

// What is called ahead of each read that such a loop waits for: gputest_poll(ptr). note_changes()
// (spin_changes.h) says what becomes of it.
constexpr const char* kPollFunction = "gputest_poll";

// A loop waits if one of its exits depends on memory that it reads as others may write it: by
// volatile or atomic reads, or by atomic operations that may leave what is there, such as those of
// locks. One that sums up with atomicCAS does not: it fails only if others come in between. An exit
// that leads to nothing but a trap or a failed assertion does not count, unless all exits do. Nor
// does what the loop reads of a variant's own state. On the way back of each loop of `item`
// (lower.h) that waits, others go on: a call of gputest_warp for GPUTEST_WARP_SPIN.
void stop_in_spins(llvm::Function& item);

// Whether the function has reads of that kind, so that a loop that calls it may wait.
bool reads_what_others_write(const llvm::Function& function);

// What a load may have that is neither volatile nor atomic, and may be waited for as well.
constexpr const char* kMayWait = "gputest.may_wait";

// What a call of kWarpFunction has on the way back of a loop that waits.
constexpr const char* kSpinMark = "gputest.spin";

} // namespace gputest::simulator
