// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contraction of a product and a sum, a * b + c, to one operation that is rounded once.
//
// Results must be those of a GPU, so products are chosen as nvcc 13 chooses them (-fmad=true). Its
// compiler and ptxas both do, one after the other, and both look at the optimised code:
// - Additions of a basic block, the last one first. The first operand is taken if it is a product
//   of the same block with at most four uses, which are all additions; else the second one.
// - What is left, and subtractions, the first one first. An operand is taken if it is a product of
//   the same block, maybe negated, of which all uses are additions and subtractions. Of two such
//   operands it is the one with fewer uses, and the first one of equals. x - x stays, and doubling
//   is no product.
// A use that became the third operand of such an operation is neither. The rule was read off from
// the machine code for sm_90 of the expressions in tests/cuda/programs/contraction.cu.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Makes calls of llvm.fma of products and sums that may be contracted. After that, no instruction
// of the module may be.
void contract_products(llvm::Module& module);

// No instruction of the function may be contracted any more.
void forbid_contraction(llvm::Function& function);

} // namespace gputest::ir
