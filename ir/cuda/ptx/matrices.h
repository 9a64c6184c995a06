// PTX's products of matrices, which the threads of a warp have together.
#pragma once

#include "ir/cuda/ptx/step.h"

namespace gputest::simulator {

// Memory of the block in which lanes show each other what they have. It is none of the kernel's
// own.
constexpr const char* kShownToWarp = "gputest_shown_to_warp";

bool is_of_matrix(const PtxTexts& parts); // mma, ldmatrix, movmatrix

// What the instruction does; false: unknown. Sums of f16, bf16 and tf32
// are made in double, and rounded once.
bool use_matrix(const PtxStep& step);

} // namespace gputest::simulator
