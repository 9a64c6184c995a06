// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels the answers that threads get from their warp or block, as expressions of what the other
// threads handed over.
//
// The threads that take part are those of the run, which the simulator let go on together. If a
// mask depends on inputs, a thread takes part where its bit is set. If the lane that a shuffle
// reads depends on inputs, it may be any thread that takes part. __activemask() follows from the
// decisions of each lane on its way there (arrivals.h).
#pragma once

#include "templates/simulator/context.h"
#include "testgen/concolic/recorder.h"

namespace gputest::testgen {

// Labels the results of the lanes `lanes` of the warp that begins with thread `first`. Is called
// after the simulator has answered them (templates/simulator/answers.c).
void label_answer(Recorder& recorder, const gputest_slots& slots, gputest_u64 first,
                  gputest_u32 lanes);

// Labels the results of __syncthreads_count() and its like, before the block leaves the barrier.
// `statuses`: by thread; 0: it has left the kernel.
void label_votes(Recorder& recorder, const gputest_slots& slots, const gputest_u32* statuses,
                 gputest_u64 items);

} // namespace gputest::testgen
