// What threads get of their warp or block, as expressions of what the others handed over.
//
// Who took part is as it was in the run: those that the simulator let go on together. Of them each
// is left out where its bit of a mask that depends on inputs is not set. A lane that a shuffle
// reads may be any of them, where its number depends on inputs. Who has come by a place is what
// each lane decided on the way there (arrivals.h).
#pragma once

#include "templates/simulator/context.h"
#include "testgen/concolic/recorder.h"

namespace gputest::testgen {

// After the simulator's answer to the lanes that have met (templates/simulator/answers.c).
void label_answer(Recorder& recorder, const gputest_slots& slots, gputest_u64 first,
                  gputest_u32 lanes);

// Before a block goes on from a barrier: __syncthreads_count and its like. `statuses`: 0 of those
// that have left the kernel.
void label_votes(Recorder& recorder, const gputest_slots& slots, const gputest_u32* statuses,
                 gputest_u64 items);

} // namespace gputest::testgen
