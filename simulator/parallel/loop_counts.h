// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that count a loop's iterations, beyond those that LLVM finds.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace gputest::simulator {

// What is compared at the end of a loop for the loop to be repeated.
struct Repeated {
  // The number that the iteration which would follow has, as a recurrence of the loop, one
  // iteration earlier: the number of the iteration itself.
  const llvm::SCEV* current;
  const llvm::SCEV* limit;
  llvm::CmpInst::Predicate predicate;
};

// visit() replaces numbers that LLVM does not see as recurrences: `int i` with
// `i += get_global_size(0)` is a sum of 64 bits in each iteration, of which 32 bits go on.
class LoopCounts : public llvm::SCEVRewriteVisitor<LoopCounts> {
public:
  LoopCounts(llvm::ScalarEvolution& evolution, llvm::LoopInfo& loops)
      : SCEVRewriteVisitor(evolution), loops_(loops) {}

  // nullopt: its last branch does not compare such a number with one that is the same throughout.
  std::optional<Repeated> repeated_while(const llvm::Loop& loop);

  const llvm::SCEV* visitTruncateExpr(const llvm::SCEVTruncateExpr* expression);

private:
  const llvm::SCEV* recurrence_of(const llvm::SCEVTruncateExpr& expression);

  llvm::LoopInfo& loops_;
};

} // namespace gputest::simulator
