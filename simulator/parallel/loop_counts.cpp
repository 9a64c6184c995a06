// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/loop_counts.h"

#include <llvm/IR/Instructions.h>

#include <utility>

namespace gputest::simulator {

std::optional<Repeated> LoopCounts::repeated_while(const llvm::Loop& loop) {
  using Predicate = llvm::CmpInst::Predicate;
  const llvm::BasicBlock* const latch = loop.getLoopLatch();
  const auto* const branch =
      latch ? llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator()) : nullptr;
  const auto* const comparison = branch && branch->isConditional()
                                     ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                                     : nullptr;
  if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  Predicate predicate = branch->getSuccessor(0) == loop.getHeader()
                            ? comparison->getPredicate()
                            : comparison->getInversePredicate();
  const llvm::SCEV* left = visit(SE.getSCEV(comparison->getOperand(0)));
  const llvm::SCEV* right = visit(SE.getSCEV(comparison->getOperand(1)));
  if (!llvm::isa<llvm::SCEVAddRecExpr>(left)) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const auto* const next = llvm::dyn_cast<llvm::SCEVAddRecExpr>(left);
  if (!next || !next->isAffine() || next->getLoop() != &loop || !SE.isLoopInvariant(right, &loop) ||
      !llvm::CmpInst::isRelational(predicate))
    return std::nullopt;
  const llvm::SCEV* const current = SE.getMinusSCEV(next, next->getStepRecurrence(SE));
  if (!llvm::isa<llvm::SCEVAddRecExpr>(current))
    return std::nullopt;
  return Repeated{current, right, predicate};
}

const llvm::SCEV* LoopCounts::visitTruncateExpr(const llvm::SCEVTruncateExpr* expression) {
  const llvm::SCEV* const count = recurrence_of(*expression);
  return count ? count : SCEVRewriteVisitor::visitTruncateExpr(expression);
}

const llvm::SCEV* LoopCounts::recurrence_of(const llvm::SCEVTruncateExpr& expression) {
  const auto* const unknown = llvm::dyn_cast<llvm::SCEVUnknown>(expression.getOperand());
  auto* const phi = unknown ? llvm::dyn_cast<llvm::PHINode>(unknown->getValue()) : nullptr;
  const llvm::Loop* const loop = phi ? loops_.getLoopFor(phi->getParent()) : nullptr;
  if (!loop || loop->getHeader() != phi->getParent() || !loop->getLoopLatch() ||
      !loop->getLoopPredecessor())
    return nullptr;
  const auto* const next = llvm::dyn_cast<llvm::SCEVAddExpr>(
      SE.getSCEV(phi->getIncomingValueForBlock(loop->getLoopLatch())));
  if (!next)
    return nullptr;
  llvm::SmallVector<const llvm::SCEV*, 4> steps;
  bool goes_on = false; // with the bits of the expression
  for (const llvm::SCEV* operand : next->operands()) {
    const auto* const extended = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(operand);
    if (extended && extended->getOperand() == &expression && !goes_on)
      goes_on = true;
    else
      steps.push_back(operand);
  }
  if (!goes_on || steps.empty())
    return nullptr;
  const llvm::SCEV* const step = SE.getTruncateExpr(SE.getAddExpr(steps), expression.getType());
  if (!SE.isLoopInvariant(step, loop))
    return nullptr;
  const llvm::SCEV* const start = SE.getTruncateExpr(
      SE.getSCEV(phi->getIncomingValueForBlock(loop->getLoopPredecessor())), expression.getType());
  return SE.getAddRecExpr(start, step, loop, llvm::SCEV::FlagAnyWrap);
}

} // namespace gputest::simulator
