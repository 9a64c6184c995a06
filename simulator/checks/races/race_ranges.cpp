// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/race_ranges.h"

#include "ir/analysis_managers.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <type_traits>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

// Later versions of LLVM take no data layout.
template <typename Expander = llvm::SCEVExpander>
Expander make_expander(llvm::ScalarEvolution& evolution, const llvm::DataLayout& layout) {
  if constexpr (std::is_constructible_v<Expander, llvm::ScalarEvolution&, const llvm::DataLayout&,
                                        const char*>)
    return Expander(evolution, layout, "range");
  else
    return Expander(evolution, "range");
}

// A place before it is computed.
struct Planned {
  const ir::Access* access;
  const llvm::SCEV* begin;
  std::int64_t step;
  bool once_more; // true: once for each begun iteration; false: once for each completed one
};

// Whether the call adds a finding of another check, at which the kernel goes on.
bool reports(const llvm::CallBase& call) {
  const llvm::Function* const called = call.getCalledFunction();
  return called && called->getName().starts_with("gputest_report");
}

class LoopCopier {
public:
  LoopCopier(llvm::Function& item, llvm::FunctionAnalysisManager& analyses)
      : layout_(item.getParent()->getDataLayout()),
        tree_(analyses.getResult<llvm::DominatorTreeAnalysis>(item)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(item)),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(item)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(item)) {}

  std::vector<llvm::Loop*> innermost() {
    std::vector<llvm::Loop*> found;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder())
      if (loop->isInnermost())
        found.push_back(loop);
    return found;
  }

  // Whether the loop does nothing else that others could see: no calls but those that report, and
  // no accesses other than ranges.
  bool plan(llvm::Loop& loop, const std::map<const llvm::Instruction*, const ir::Access*>& shared) {
    planned_.clear();
    assumed_.emplace(evolution_, loop);
    llvm::simplifyLoop(&loop, &tree_, &loops_, &evolution_, &assumptions_, nullptr, false);
    llvm::formLCSSARecursively(loop, tree_, &loops_, &evolution_);
    if (!loop.isLoopSimplifyForm() || !loop.getExitingBlock() || !loop.getUniqueExitBlock() ||
        loop.getExitingBlock()->getTerminator()->getNumSuccessors() != 2)
      return false;
    turns_ = evolution_.getBackedgeTakenCount(&loop);
    llvm::Instruction* const before = loop.getLoopPreheader()->getTerminator();
    const llvm::SCEVExpander expander = make_expander(evolution_, layout_);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(turns_) || !expander.isSafeToExpandAt(turns_, before))
      return false;
    for (llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& instruction : *block) {
        if (const auto found = shared.find(&instruction); found != shared.end()) {
          if (!plan(loop, *found->second) ||
              !expander.isSafeToExpandAt(planned_.back().begin, before))
            return false;
        } else if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
                   call && !call->doesNotAccessMemory() && !reports(*call) &&
                   !llvm::isa<llvm::DbgInfoIntrinsic>(call)) {
          return false;
        }
      }
    return !planned_.empty();
  }

  // After plan(): makes a copy of the loop. `RangedLoops` decides before the loop which one runs.
  template <typename Ask, typename Mark>
  void copy(llvm::Loop& loop, const Ask& ask, const Mark& mark) {
    llvm::BasicBlock* const before = loop.getLoopPreheader();
    llvm::BasicBlock* const exit = loop.getUniqueExitBlock();
    llvm::BasicBlock* const exiting = loop.getExitingBlock();
    Builder builder(before->getTerminator());
    builder.SetCurrentDebugLocation(planned_.front().access->instruction->getDebugLoc());
    const std::vector<LoopRange> ranges = computed(builder, before->getTerminator());
    llvm::SCEVExpander expander = make_expander(evolution_, layout_);
    llvm::Value* const wraps =
        expander.expandCodeForPredicate(&assumed_->getPredicate(), before->getTerminator());
    llvm::Value* const checked = builder.CreateOr(wraps, ask(builder, ranges));

    llvm::BasicBlock* const of_loop =
        llvm::SplitBlock(before, before->getTerminator(), &tree_, &loops_);
    llvm::ValueToValueMapTy values;
    llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
    llvm::Loop* const unchecked = llvm::cloneLoopWithPreheader(
        of_loop, before, &loop, values, ".unchecked", &loops_, &tree_, blocks);
    llvm::remapInstructionsInBlocks(blocks, values);
    llvm::BasicBlock* const of_copy = unchecked->getLoopPreheader();
    llvm::Instruction* const jump = before->getTerminator();
    builder.SetInsertPoint(jump);
    builder.CreateCondBr(checked, of_loop, of_copy);
    jump->eraseFromParent();
    for (llvm::PHINode& phi : exit->phis()) {
      llvm::Value* const value = phi.getIncomingValueForBlock(exiting);
      const auto copied = values.find(value);
      phi.addIncoming(copied == values.end() ? value : static_cast<llvm::Value*>(copied->second),
                      llvm::cast<llvm::BasicBlock>(values[exiting]));
    }
    builder.SetInsertPoint(of_copy->getTerminator());
    mark(builder, ranges);
  }

private:
  bool plan(const llvm::Loop& loop, const ir::Access& access) {
    const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(access.size);
    const llvm::BasicBlock* const block = access.instruction->getParent();
    if (access.atomic || !size || !tree_.dominates(block, loop.getLoopLatch()) ||
        !llvm::isa<llvm::LoadInst, llvm::StoreInst>(access.instruction))
      return false;
    const llvm::SCEV* const place = evolution_.getSCEV(access.pointer());
    const bool once_more = tree_.dominates(block, loop.getExitingBlock());
    if (evolution_.isLoopInvariant(place, &loop)) {
      planned_.push_back({&access, place, 0, once_more});
      return true;
    }
    const llvm::SCEVAddRecExpr* const moving = assumed_->getAsAddRec(access.pointer());
    if (!moving || moving->getLoop() != &loop || !moving->isAffine())
      return false;
    const auto* const step =
        llvm::dyn_cast<llvm::SCEVConstant>(moving->getStepRecurrence(evolution_));
    constexpr std::int64_t kFarthest = std::int64_t{1} << 30;
    if (!step || step->getAPInt().getSignificantBits() > 64 ||
        std::abs(step->getAPInt().getSExtValue()) > kFarthest)
      return false;
    planned_.push_back({&access, moving->getStart(), step->getAPInt().getSExtValue(), once_more});
    return true;
  }

  std::vector<LoopRange> computed(Builder& builder, llvm::Instruction* before) {
    llvm::SCEVExpander expander = make_expander(evolution_, layout_);
    llvm::Value* const turns = builder.CreateZExtOrTrunc(
        expander.expandCodeFor(turns_, turns_->getType(), before), builder.getInt64Ty());
    std::vector<LoopRange> ranges;
    for (const Planned& one : planned_) {
      llvm::Value* count = one.once_more ? builder.CreateAdd(turns, builder.getInt64(1)) : turns;
      llvm::Value* begin = builder.CreateAddrSpaceCast(
          expander.expandCodeFor(one.begin, one.begin->getType(), before), builder.getPtrTy());
      if (one.step == 0) {
        count = builder.CreateZExt(builder.CreateICmpNE(count, builder.getInt64(0)),
                                   builder.getInt64Ty());
      } else if (one.step < 0) {
        llvm::Value* const last =
            builder.CreateMul(builder.CreateSub(count, builder.getInt64(1)),
                              builder.getInt64(static_cast<std::uint64_t>(one.step)));
        begin = builder.CreateGEP(builder.getInt8Ty(), begin, last);
      }
      ranges.push_back({one.access, begin, count, static_cast<std::uint64_t>(std::abs(one.step))});
    }
    return ranges;
  }

  const llvm::DataLayout& layout_;
  llvm::DominatorTree& tree_;
  llvm::LoopInfo& loops_;
  llvm::AssumptionCache& assumptions_;
  llvm::ScalarEvolution& evolution_;
  const llvm::SCEV* turns_ = nullptr;
  // Emits the condition for the ranges, tested before the loop: sums of indices do not wrap around.
  std::optional<llvm::PredicatedScalarEvolution> assumed_;
  std::vector<Planned> planned_;
};

} // namespace

void RangedLoops::run(llvm::Function& item, const std::vector<ir::Access>& shared) {
  std::map<const llvm::Instruction*, const ir::Access*> by_instruction;
  for (const ir::Access& access : shared)
    by_instruction[access.instruction] = &access;
  std::set<const llvm::BasicBlock*> seen; // headers
  for (bool copied = true; copied;) {
    // Analyses are invalid after a copy.
    copied = false;
    ir::AnalysisManagers managers;
    LoopCopier copier(item, managers.functions);
    for (llvm::Loop* loop : copier.innermost()) {
      if (!seen.insert(loop->getHeader()).second || !copier.plan(*loop, by_instruction))
        continue;
      copier.copy(
          *loop, [&](Builder& builder, const auto& ranges) { return ask(builder, ranges); },
          [&](Builder& builder, const auto& ranges) { mark(builder, ranges); });
      copied = true;
      break;
    }
  }
}

} // namespace gputest::simulator
