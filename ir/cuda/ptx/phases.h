// PTX's mbarrier: barriers that a program has in memory.
#pragma once

#include "ir/cuda/ptx/operands.h"

namespace gputest::simulator {

// What `parts` (mbarrier, arrive, shared, b64; cp, async, mbarrier, arrive, …) does. False:
// unknown. Who asks whether a phase is over waits until it is.
bool use_barrier(llvm::IRBuilder<>& builder, PtxOperands& values, const PtxTexts& parts,
                 const PtxTexts& operands);

} // namespace gputest::simulator
