// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simplifies comparisons by the ranges of their operands.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gputest::passes {

// Tells LLVM the smallest and the greatest results of functions that query the launch and images.
// Assumes that no group has 2^31 work-items.
void add_ranges(llvm::Module& module);

// Gives one form to comparisons that compute the same. `a < b` becomes `a != b` if a is never above
// b, and a comparison of signed numbers that are never negative becomes one of unsigned numbers.
// Values are known from their ranges, from conditions on the way and from how loops step (LLVM's
// analyses). If these analyses know nothing, a comparison stays.
class UniformComparisons : public llvm::PassInfoMixin<UniformComparisons> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gputest::passes
