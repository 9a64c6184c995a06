// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/loop_counts.h"

#include <llvm/IR/Module.h>

#include <utility>

namespace gputest::simulator {

std::optional<Repeated> LoopCounts::repeated_while(const llvm::Loop& loop) {
  const llvm::BasicBlock* const latch = loop.getLoopLatch();
  const auto* const end =
      latch ? llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator()) : nullptr;
  if (!end)
    return std::nullopt;
  const bool at_end = end->isConditional();
  const std::optional<Repeated> compared = compared_at(loop, at_end ? *latch : *loop.getHeader());
  if (!compared)
    return std::nullopt;
  const auto* const number = llvm::cast<llvm::SCEVAddRecExpr>(compared->current);
  const llvm::SCEV* const step = number->getStepRecurrence(SE);
  if (!at_end)
    return Repeated{number, compared->limit, compared->predicate, true};
  const llvm::SCEV* const current = SE.getMinusSCEV(number, step);
  if (!llvm::isa<llvm::SCEVAddRecExpr>(current))
    return std::nullopt;
  return Repeated{current, compared->limit, compared->predicate};
}

// What is compared at the end of a block for the loop to go on.
std::optional<Repeated> LoopCounts::compared_at(const llvm::Loop& loop,
                                                const llvm::BasicBlock& block) {
  using Predicate = llvm::CmpInst::Predicate;
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  const auto* const comparison = branch && branch->isConditional()
                                     ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                                     : nullptr;
  if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy() ||
      loop.contains(branch->getSuccessor(0)) == loop.contains(branch->getSuccessor(1)))
    return std::nullopt;
  Predicate predicate = loop.contains(branch->getSuccessor(0)) ? comparison->getPredicate()
                                                               : comparison->getInversePredicate();
  const llvm::SCEV* left = visit(SE.getSCEV(comparison->getOperand(0)));
  const llvm::SCEV* right = visit(SE.getSCEV(comparison->getOperand(1)));
  if (!llvm::isa<llvm::SCEVAddRecExpr>(left)) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const auto* const number = llvm::dyn_cast<llvm::SCEVAddRecExpr>(left);
  if (!number || !number->isAffine() || number->getLoop() != &loop ||
      !SE.isLoopInvariant(right, &loop) || !llvm::CmpInst::isRelational(predicate))
    return std::nullopt;
  return Repeated{number, right, predicate};
}

const llvm::SCEV* LoopCounts::visitTruncateExpr(const llvm::SCEVTruncateExpr* expression) {
  const llvm::SCEV* const count = recurrence_of(*expression);
  return count ? count : SCEVRewriteVisitor::visitTruncateExpr(expression);
}

const llvm::SCEV* LoopCounts::visitUnknown(const llvm::SCEVUnknown* expression) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(expression->getValue()))
    return first_load_of(*load, expression);
  if (const auto* const shift = llvm::dyn_cast<llvm::BinaryOperator>(expression->getValue())) {
    const llvm::SCEV* const product = shifted(*shift);
    return product ? product : expression;
  }
  const auto* const phi = llvm::dyn_cast<llvm::PHINode>(expression->getValue());
  if (!phi || loops_.isLoopHeader(phi->getParent()) || !joining_.insert(phi).second)
    return expression;
  const llvm::SCEV* common = nullptr;
  for (const llvm::Use& way : phi->incoming_values()) {
    const llvm::SCEV* const comes =
        SE.isSCEVable(way->getType()) ? visit(SE.getSCEV(way)) : nullptr;
    if (!comes || (common && comes != common)) {
      common = nullptr;
      break;
    }
    common = comes;
  }
  joining_.erase(phi);
  // A recurrence of a loop that has ended is another number.
  const auto has_ended = [&](const llvm::SCEV* part) {
    const auto* const recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    return recurrence && !recurrence->getLoop()->contains(phi->getParent());
  };
  return common && !llvm::SCEVExprContains(common, has_ended) ? common : expression;
}

// A number of fewer bits is extended by shifts to the left and back to the right, where LLVM
// expects one behind the other.
const llvm::SCEV* LoopCounts::shifted(const llvm::BinaryOperator& shift) {
  const auto* const right = llvm::dyn_cast<llvm::ConstantInt>(shift.getOperand(1));
  if (shift.getOpcode() != llvm::Instruction::AShr || !right || shift.getType()->isVectorTy())
    return nullptr;
  const unsigned bits = shift.getType()->getIntegerBitWidth();
  const auto* const product =
      llvm::dyn_cast<llvm::SCEVMulExpr>(visit(SE.getSCEV(shift.getOperand(0))));
  const auto* const power =
      product ? llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0)) : nullptr;
  if (!power || !power->getAPInt().isPowerOf2() || right->getValue().uge(bits))
    return nullptr;
  const unsigned left = power->getAPInt().logBase2();
  const auto back = static_cast<unsigned>(right->getZExtValue());
  if (left == 0 || back > left)
    return nullptr;
  llvm::SmallVector<const llvm::SCEV*, 4> rest(llvm::drop_begin(product->operands()));
  llvm::Type* const narrow = llvm::IntegerType::get(shift.getContext(), bits - left);
  const llvm::SCEV* const number =
      SE.getSignExtendExpr(SE.getTruncateExpr(SE.getMulExpr(rest), narrow), shift.getType());
  return SE.getMulExpr(number, SE.getConstant(llvm::APInt::getOneBitSet(bits, left - back)));
}

const llvm::SCEV* LoopCounts::first_load_of(const llvm::LoadInst& load,
                                            const llvm::SCEV* expression) {
  if (!load.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return expression;
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  llvm::APInt offset(64, 0);
  const llvm::Value* const base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (!llvm::isa<llvm::Argument>(base))
    return expression;
  const Word word{base, offset.getSExtValue(), load.getType()};
  return loads_.try_emplace(word, expression).first->second;
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
