// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's matrix instructions, whose matrices are distributed over the threads of a warp.
#pragma once

#include "ir/cuda/ptx/step.h"

namespace gputest::ir {

// A __shared__ variable through which lanes exchange elements. It does not count as memory of the
// kernel.
constexpr const char* kShownToWarp = "gputest_shown_to_warp";

bool is_of_matrix(const PtxTexts& parts); // mma, ldmatrix, movmatrix

// Translates the instruction; false: it is unknown. Sums of f16, bf16 and tf32 are computed in
// double and rounded once.
bool use_matrix(const PtxStep& step);

} // namespace gputest::ir
