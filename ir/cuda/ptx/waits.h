// PTX's instructions in which threads wait for each other, or exchange values.
#pragma once

#include "ir/cuda/ptx/step.h"

namespace gputest::simulator {

bool is_wait(const PtxTexts& parts); // bar, barrier, shfl, vote, match, redux, activemask

// What the instruction does; false: unknown.
bool wait_for_others(const PtxStep& step);

} // namespace gputest::simulator
