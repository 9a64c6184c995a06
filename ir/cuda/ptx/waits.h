// PTX's instructions in which threads wait for each other, or exchange values.
#pragma once

#include "ir/cuda/ptx/operands.h"

namespace gputest::simulator {

bool is_wait(const PtxTexts& parts); // bar, barrier, shfl, vote, match, redux, activemask

// What `parts` (bar, sync) does with its operands; false: unknown.
bool wait_for_others(llvm::IRBuilder<>& builder, PtxOperands& values, const PtxTexts& parts,
                     const PtxTexts& operands);

} // namespace gputest::simulator
