// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's instructions with which threads wait for each other or exchange values.
#pragma once

#include "ir/cuda/ptx/step.h"

namespace gputest::ir {

bool is_wait(const PtxTexts& parts); // bar, barrier, shfl, vote, match, redux, activemask

// Translates the instruction; false: it is unknown.
bool wait_for_others(const PtxStep& step);

} // namespace gputest::ir
