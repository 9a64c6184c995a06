// Comparisons whose operands' ranges say more than their operator does.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gputest::passes::mutation {

// Tells LLVM what functions that ask about the launch and about images return at least and at most.
// Assumes that no group has 2^31 work-items.
void add_ranges(llvm::Module& module);

// Gives comparisons that compute the same one form: `a < b` becomes `a != b` where a is never above
// b, and a comparison of signed numbers that are never negative one of unsigned numbers. What is
// known of values are ranges, conditions on the way and how loops step (LLVM's analyses); where
// they know nothing, a comparison stays.
class UniformComparisons : public llvm::PassInfoMixin<UniformComparisons> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gputest::passes::mutation
