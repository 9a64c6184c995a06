// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's mbarrier instructions: barriers in memory.
#pragma once

#include "ir/cuda/ptx/operands.h"

namespace gputest::ir {

// Translates an instruction such as mbarrier.arrive.shared.b64 or cp.async.mbarrier.arrive…;
// `parts` are the parts of its name. Returns false if it is unknown. A test whether a phase is over
// waits until it is.
bool use_barrier(llvm::IRBuilder<>& builder, PtxOperands& values, const PtxTexts& parts,
                 const PtxTexts& operands);

} // namespace gputest::ir
