// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/outcome_bits.h"

#include "templates/state.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <set>

namespace gputest::testgen {
namespace {

// Finds the places that may set a bit of a word: a block, or a way between two.
class Settings {
public:
  Settings(Statics& statics, unsigned bit) : statics_(statics), bit_(bit) {}

  std::vector<Setting> of(const llvm::Value* word) {
    std::vector<const llvm::Value*> work{word};
    while (!work.empty()) {
      const llvm::Value* const value = work.back();
      work.pop_back();
      if (!seen_.insert(value).second)
        continue;
      const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
      if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(value)) {
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          part(phi->getIncomingValue(i), work, [&] {
            const llvm::BasicBlock& from = *phi->getIncomingBlock(i);
            return both(statics_.reached(from), statics_.taken(from, *phi->getParent()));
          });
      } else if (instruction && instruction->getOpcode() == llvm::Instruction::Or) {
        for (const llvm::Value* operand : instruction->operand_values())
          part(operand, work, [&] { return statics_.reached(*instruction->getParent()); });
      } else if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(value)) {
        const Label reached = statics_.reached(*select->getParent());
        const Label condition = statics_.value(select->getCondition());
        part(select->getTrueValue(), work,
             [&] { return condition ? both(reached, condition) : reached; });
        part(select->getFalseValue(), work, [&] {
          return condition ? both(reached, statics_.table.negation(condition)) : reached;
        });
      } else {
        part(value, work, [&] { return statics_.table.constant(1, 1); });
      }
    }
    return std::move(found_);
  }

private:
  Label both(Label a, Label b) { return statics_.table.make(Op::And, 1, a, b); }

  template <typename When>
  void part(const llvm::Value* value, std::vector<const llvm::Value*>& work, When&& when) {
    if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      if (number->getValue().extractBitsAsZExtValue(1, bit_) != 0)
        found_.push_back({when()});
      return;
    }
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && (llvm::isa<llvm::PHINode>(value) || llvm::isa<llvm::SelectInst>(value) ||
                        instruction->getOpcode() == llvm::Instruction::Or)) {
      work.push_back(value);
      return;
    }
    const Label label = statics_.value(value);
    if (!label || !instruction || llvm::isa<llvm::LoadInst>(value)) {
      found_.push_back({0, false});
      return;
    }
    found_.push_back({both(both(when(), statics_.reached(*instruction->getParent())),
                           statics_.table.make(Op::Extract, 1, label, 0, 0, bit_))});
  }

  Statics& statics_;
  unsigned bit_;
  std::set<const llvm::Value*> seen_;
  std::vector<Setting> found_;
};

// Finds the `atomic_or` calls that write a word of outcomes to the state buffer, the last argument.
// nullopt: some call writes to a place that cannot be derived.
std::optional<std::vector<const llvm::AtomicRMWInst*>>
published(const llvm::Function& item, const ir::KernelShape& shape, unsigned word) {
  std::vector<const llvm::AtomicRMWInst*> found;
  const llvm::DataLayout& layout = item.getParent()->getDataLayout();
  for (const llvm::Instruction& instruction : llvm::instructions(item)) {
    const auto* const atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    if (!atomic || atomic->getOperation() != llvm::AtomicRMWInst::Or)
      continue;
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        atomic->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    const auto* const load =
        llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(atomic->getPointerOperand(), 0));
    if (!load) {
      if (llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(
              llvm::getUnderlyingObject(atomic->getPointerOperand(), 0)))
        continue; // the kernel's own
      return std::nullopt;
    }
    llvm::APInt place(64, 0);
    const llvm::Value* const block =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, place, true);
    if (block == item.getArg(0)) // __local memory
      continue;
    if (block != item.getArg(1) || (place.getZExtValue() == shape.parameters.back().offset &&
                                    base != load)) // loaded from memory, or at any place
      return std::nullopt;
    if (place.getZExtValue() == shape.parameters.back().offset &&
        offset.getZExtValue() == 4 * (GPUTEST_STATE_HEADER_WORDS + std::uint64_t{word}))
      found.push_back(atomic);
  }
  return found;
}

} // namespace

std::optional<std::vector<Setting>> settings_of(Statics& statics, const llvm::Function& item,
                                                const ir::KernelShape& shape, unsigned bit) {
  const auto stores = published(item, shape, bit / 32);
  if (!stores)
    return std::nullopt;
  std::vector<Setting> all;
  for (const llvm::AtomicRMWInst* store : *stores) {
    if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(store->getValOperand())) {
      if (number->getValue().extractBitsAsZExtValue(1, bit % 32) != 0)
        all.push_back({statics.reached(*store->getParent())});
      continue;
    }
    const std::vector<Setting> some = Settings(statics, bit % 32).of(store->getValOperand());
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

} // namespace gputest::testgen
