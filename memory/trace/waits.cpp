// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/waits.h"

#include "ir/analysis_managers.h"
#include "memory/trace/instrument.h"

#include <algorithm>
#include <llvm/ADT/BitVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <map>
#include <set>
#include <utility>

namespace gputest::memory {
namespace {

// The loads whose values an instruction's result is made of. A bit for each, and behind these
// another for each whose value came by way of the loop's next iteration.
using Loads = llvm::BitVector;

class Waits {
public:
  Waits(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
        const InstructionsOfSteps& instructions, std::span<const Reference> references,
        ItemShape& shape)
      : order_(order), instructions_(instructions), references_(references), shape_(shape),
        loops_(managers_.functions.getResult<llvm::LoopAnalysis>(item)),
        dominators_(managers_.functions.getResult<llvm::DominatorTreeAnalysis>(item)),
        evolution_(managers_.functions.getResult<llvm::ScalarEvolutionAnalysis>(item)) {}

  void run() {
    number_loads();
    if (loads_.empty())
      return;
    follow_values();
    for (std::size_t i = 0; i < order_.size(); ++i)
      visit(*order_[i], shape_.blocks[i], instructions_[i]);
  }

private:
  struct Load {
    const llvm::Instruction* instruction = nullptr;
    std::uint32_t reference = 0;
  };

  bool loads(std::uint32_t reference) const {
    const Reference& one = references_[reference];
    return one.kind == Reference::Kind::Read || (one.kind == Reference::Kind::Atomic && one.waits);
  }

  void number_loads() {
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (std::size_t j = 0; j < instructions_[i].size(); ++j) {
        const BlockStep& step = shape_.blocks[i].steps[j];
        const llvm::Instruction* const instruction = instructions_[i][j];
        accesses_.insert(instruction);
        if (step.kind == BlockStep::Kind::Access && loads(step.reference) &&
            !instruction->getType()->isVoidTy()) {
          numbers_[instruction] = static_cast<unsigned>(loads_.size());
          loads_.push_back({.instruction = instruction, .reference = step.reference});
        }
      }
  }

  // Instructions of the recorder are no part of the kernel.
  static bool is_recorders(const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
    return called && (called->getName() == kOffsetFunction || called->getName() == kPlaceFunction ||
                      called->getName() == kTexelsFunction || called->getName() == kOwnFunction);
  }

  unsigned count() const { return static_cast<unsigned>(loads_.size()); }

  Loads needed_by(const llvm::Instruction& instruction) const {
    Loads needed(2 * count());
    for (const llvm::Value* operand : instruction.operands())
      if (const auto known = values_.find(operand); known != values_.end())
        needed |= known->second;
    return needed;
  }

  Loads value_of(const llvm::Instruction& instruction) const {
    if (const auto load = numbers_.find(&instruction); load != numbers_.end()) {
      Loads own(2 * count());
      own.set(load->second);
      return own;
    }
    if (accesses_.contains(&instruction))
      return Loads(2 * count());
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    if (!phi || !loops_.isLoopHeader(phi->getParent()))
      return needed_by(instruction);
    Loads all(2 * count());
    const llvm::Loop* const loop = loops_.getLoopFor(phi->getParent());
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      const auto known = values_.find(phi->getIncomingValue(i));
      if (known == values_.end())
        continue;
      if (!loop->contains(phi->getIncomingBlock(i))) {
        all |= known->second;
        continue;
      }
      for (const unsigned load : known->second.set_bits())
        all.set(load % count() + count());
    }
    return all;
  }

  void follow_values() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock* block : order_)
        for (const llvm::Instruction& instruction : *block) {
          if (instruction.getType()->isVoidTy())
            continue;
          const Loads value = value_of(instruction);
          if (value.none())
            continue;
          auto [known, added] = values_.try_emplace(&instruction, value);
          if (added || (value.test(known->second))) { // it has more
            known->second |= value;
            changed = true;
          }
        }
    }
  }

  // What the loop's compiler may do about loads of this block.
  Need need_in(const llvm::BasicBlock& block) {
    llvm::Loop* const loop = loops_.getLoopFor(&block);
    if (!loop)
      return Need::Last;
    const auto known = needs_.find(loop);
    if (known != needs_.end())
      return known->second;
    return needs_[loop] = need_of(*loop);
  }

  Need need_of(llvm::Loop& loop) {
    if (!loop.isInnermost())
      return Need::Last;
    bool reads[2] = {false, false}, writes[2] = {false, false}; // by whether it is __local memory
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (!loop.contains(order_[i]))
        continue;
      const llvm::Instruction& last = *order_[i]->getTerminator();
      unsigned stay = 0;
      for (unsigned next = 0; next < last.getNumSuccessors(); ++next)
        stay += loop.contains(last.getSuccessor(next)) ? 1 : 0;
      if (stay != 1)
        return Need::Last; // a branch inside of the loop
      for (const BlockStep& step : shape_.blocks[i].steps) {
        if (step.kind == BlockStep::Kind::Barrier)
          return Need::Last;
        if (step.kind != BlockStep::Kind::Access || step.own)
          continue;
        const Reference& reference = references_[step.reference];
        (reference.kind == Reference::Kind::Read ? reads : writes)[reference.local ? 1 : 0] = true;
      }
    }
    if ((reads[0] && writes[0]) || (reads[1] && writes[1]))
      return Need::Last;
    const unsigned iterations = evolution_.getSmallConstantTripCount(&loop);
    return iterations != 0 && iterations <= kMostUnwound + 1 ? Need::Unwound : Need::Unrolled;
  }

  // Appends waits for `needed`, of which those that come with the next iteration are for an earlier
  // value where this one's load comes first.
  void append(const Loads& needed, const llvm::Instruction& at, Need need,
              std::vector<BlockStep>& steps) {
    for (unsigned load = 0; load < count(); ++load) {
      const bool now = needed.test(load), before = needed.test(count() + load);
      if (!now && !before)
        continue;
      const bool earlier = !now && dominators_.dominates(loads_[load].instruction, &at) &&
                           loops_.getLoopFor(at.getParent()) ==
                               loops_.getLoopFor(loads_[load].instruction->getParent());
      steps.push_back({.kind = BlockStep::Kind::Wait,
                       .reference = loads_[load].reference,
                       .need = need == Need::Last && earlier ? Need::Before : need});
    }
  }

  void visit(const llvm::BasicBlock& block, Block& described,
             const std::vector<const llvm::Instruction*>& instructions) {
    const Need need = need_in(block);
    std::vector<BlockStep> steps;
    Loads later(2 * count()); // needed before the block ends
    std::size_t next = 0;
    for (const llvm::Instruction& instruction : block) {
      if (is_recorders(instruction) || llvm::isa<llvm::PHINode>(instruction))
        continue;
      const Loads needed = needed_by(instruction);
      if (next < instructions.size() && instructions[next] == &instruction) {
        std::vector<BlockStep> waits;
        append(needed, instruction, need, waits);
        for (bool first = true; next < instructions.size() && instructions[next] == &instruction;
             ++next, first = false) {
          BlockStep step = described.steps[next];
          if (first && !waits.empty()) { // the instructions in front of the access go first
            waits.front().compute = std::exchange(step.compute, 0);
            waits.front().less = std::exchange(step.less, {});
            steps.insert(steps.end(), waits.begin(), waits.end());
          }
          steps.push_back(step);
        }
      } else if (instruction.isTerminator()) {
        append(needed, instruction, Need::Last, described.waits);
      } else {
        later |= needed;
      }
    }
    described.steps = std::move(steps);
    append(later, *block.getTerminator(), need, described.waits);
  }

  const std::vector<llvm::BasicBlock*>& order_;
  const InstructionsOfSteps& instructions_;
  std::span<const Reference> references_;
  ItemShape& shape_;
  ir::AnalysisManagers managers_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  std::vector<Load> loads_;
  std::map<const llvm::Instruction*, unsigned> numbers_; // of loads
  std::set<const llvm::Instruction*> accesses_;
  std::map<const llvm::Value*, Loads> values_;
  std::map<const llvm::Loop*, Need> needs_;
};

} // namespace

void add_waits(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
               const InstructionsOfSteps& instructions, std::span<const Reference> references,
               ItemShape& shape) {
  Waits(item, order, instructions, references, shape).run();
}

} // namespace gputest::memory
