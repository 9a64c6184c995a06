// PTX's instructions in which threads wait for each other, or exchange values.
#pragma once

#include "ir/cuda/ptx_operands.h"

namespace gputest::simulator {

bool is_wait(const PtxTexts& parts); // bar, barrier, shfl, vote, redux, activemask

// What `parts` (bar, sync) does with its operands; false: unknown, or there is a predicate.
bool wait_for_others(llvm::IRBuilder<>& builder, PtxOperands& values, const PtxTexts& parts,
                     const PtxTexts& operands);

} // namespace gputest::simulator
