// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The set of a warp's threads that reach a place, as an expression of the decisions that lead
// there. __activemask() returns this set, and masks are computed from it.
#pragma once

#include "templates/simulator/context.h"
#include "testgen/concolic/recorder.h"

namespace gputest::testgen {

// Returns a label of 64 bits, one for each lane of the warp that begins with thread `first` of the
// block. `lanes`: the lanes that have come to place `site`. Their bits say that they decide as in
// this run. The bit of another lane says that it decides as a lane that has come. Returns 0 if
// nothing there depends on inputs, or if the block has made too many decisions to look at.
Label label_of_arrivals(Recorder& recorder, std::uint32_t site, gputest_u64 first,
                        gputest_u32 lanes);

} // namespace gputest::testgen
