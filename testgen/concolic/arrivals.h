// Which threads of a warp come by a place, as an expression of the decisions that lead there:
// __activemask(), and masks that are made of it.
#pragma once

#include "templates/simulator/context.h"
#include "testgen/concolic/recorder.h"

namespace gputest::testgen {

// 64 bits, one for each lane of the warp that begins with thread `first` of the block: the
// decisions of its own on the way to place `site`, of which one went another way where it is not
// among `lanes`, those that have come. 0: nothing there depends on inputs.
Label label_of_arrivals(Recorder& recorder, std::uint32_t site, gputest_u64 first,
                        gputest_u32 lanes);

} // namespace gputest::testgen
