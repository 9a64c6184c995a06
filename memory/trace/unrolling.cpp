// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/unrolling.h"

#include "ir/analysis_managers.h"
#include "ir/lowered_names.h"
#include "memory/trace/waits.h"

#include <algorithm>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <utility>

namespace gputest::memory {
namespace {

bool is_barrier(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
  return called && called->getName() == ir::kBarrierFunction;
}

class Unrolling {
public:
  Unrolling(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
            const std::function<bool(const llvm::Instruction&)>& is_constant)
      : order_(order), is_constant_(is_constant),
        loops_(managers_.functions.getResult<llvm::LoopAnalysis>(item)),
        evolution_(managers_.functions.getResult<llvm::ScalarEvolutionAnalysis>(item)) {}

  std::map<const llvm::Instruction*, Made> run() {
    for (const llvm::BasicBlock* const block : order_)
      if (const llvm::Loop* const loop = loops_.getLoopFor(block))
        for (const llvm::Instruction& instruction : *block)
          if (stays(instruction, *loop))
            made_[&instruction] = Made::InFront;
    for (llvm::Loop* const loop : loops_.getLoopsInPreorder())
      if (loop->isInnermost() && unrolls(*loop))
        unroll(*loop);
    for (const llvm::BasicBlock* const block : order_)
      for (const llvm::Instruction& instruction : *block)
        if (fuses(instruction))
          made_.try_emplace(&instruction, Made::Fused);
    return std::move(made_);
  }

private:
  // Whether the instruction has one value in all iterations.
  bool stays(const llvm::Instruction& instruction, const llvm::Loop& loop) const {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator() ||
        instruction.mayHaveSideEffects() ||
        (instruction.mayReadFromMemory() && !is_constant_(instruction)))
      return false;
    return std::ranges::all_of(instruction.operands(), [&](const llvm::Value* operand) {
      const auto* const from = llvm::dyn_cast<llvm::Instruction>(operand);
      return !from || !loop.contains(from) ||
             (loops_.getLoopFor(from->getParent()) == &loop && made_.contains(from));
    });
  }

  static bool fuses(const llvm::Instruction& instruction) {
    if (instruction.getOpcode() != llvm::Instruction::FMul || !instruction.hasOneUse())
      return false;
    const auto* const by = llvm::cast<llvm::Instruction>(instruction.user_back());
    return by->getParent() == instruction.getParent() &&
           (by->getOpcode() == llvm::Instruction::FAdd ||
            by->getOpcode() == llvm::Instruction::FSub);
  }

  bool unrolls(const llvm::Loop& loop) const {
    return std::ranges::all_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
      const llvm::Instruction& last = *block->getTerminator();
      unsigned stay = 0;
      for (unsigned next = 0; next < last.getNumSuccessors(); ++next)
        stay += loop.contains(last.getSuccessor(next)) ? 1 : 0;
      return stay == 1 && std::ranges::none_of(*block, is_barrier);
    });
  }

  void unroll(const llvm::Loop& loop) {
    const unsigned iterations = evolution_.getSmallConstantTripCount(&loop);
    const Made made =
        iterations != 0 && iterations <= kMostUnwound + 1 ? Made::InFront : Made::Unrolled;
    for (const llvm::BasicBlock* const block : loop.blocks()) {
      const llvm::Instruction& last = *block->getTerminator();
      for (const llvm::Instruction& instruction : *block)
        if (counts(instruction, loop))
          made_.try_emplace(&instruction, made);
      const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&last);
      const auto* const condition = branch && branch->isConditional()
                                        ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                                        : nullptr;
      if (branch && branch->isUnconditional()) {
        made_.try_emplace(&last, made);
      } else if (condition && loop.contains(condition) && condition->hasOneUse() &&
                 std::ranges::all_of(condition->operands(), [&](const llvm::Value* operand) {
                   return counts(*operand, loop);
                 })) {
        made_.try_emplace(condition, made);
        made_.try_emplace(&last, made);
      }
    }
  }

  // Whether the value changes by the same amount in each iteration, or not at all.
  bool counts(const llvm::Value& value, const llvm::Loop& loop) const {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !loop.contains(instruction))
      return true;
    if (made_.contains(instruction))
      return true;
    if (!evolution_.isSCEVable(value.getType()))
      return false;
    const auto* const known =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::Value*>(&value)));
    return known && known->getLoop() == &loop && known->isAffine();
  }

  const std::vector<llvm::BasicBlock*>& order_;
  const std::function<bool(const llvm::Instruction&)>& is_constant_;
  ir::AnalysisManagers managers_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  std::map<const llvm::Instruction*, Made> made_;
};

} // namespace

std::map<const llvm::Instruction*, Made>
made_less_often(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
                const std::function<bool(const llvm::Instruction&)>& is_constant) {
  return Unrolling(item, order, is_constant).run();
}

} // namespace gputest::memory
