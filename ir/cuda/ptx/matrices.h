// PTX's products of matrices, which the threads of a warp have together.
#pragma once

#include "ir/cuda/ptx/operands.h"

namespace gputest::simulator {

// Memory of the block in which lanes show each other what they have. It is none of the kernel's
// own.
constexpr const char* kShownToWarp = "gputest_shown_to_warp";

bool is_of_matrix(const PtxTexts& parts); // mma, ldmatrix, movmatrix

// What `parts` (mma, sync, aligned, m16n8k16, …) does; false: unknown. Sums of f16, bf16 and tf32
// are made in double, and rounded once.
bool use_matrix(llvm::IRBuilder<>& builder, PtxOperands& values, const PtxTexts& parts,
                const PtxTexts& operands);

} // namespace gputest::simulator
