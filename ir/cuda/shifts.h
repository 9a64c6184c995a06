// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shifts of CUDA's device code, as PTX does them.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Makes shifts by at least the width of the type give zeros, or the sign: PTX clamps the amount
// (PTX ISA, "shl" and "shr"), C++ leaves it undefined, and processors take it modulo the width. The
// shifts that remain mask their amount, as those of OpenCL C do; the masks have kClamped
// (ir/protected.h).
void clamp_shifts(llvm::Module& module);

} // namespace gputest::ir
