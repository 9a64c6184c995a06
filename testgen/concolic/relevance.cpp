// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/relevance.h"

#include "templates/simulator/context.h"
#include "testgen/concolic/dependence.h"
#include "testgen/concolic/sites.h"

#include <algorithm>
#include <cstddef>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Casting.h>

namespace gputest::testgen {
namespace {

using llvm::dyn_cast;
using llvm::isa;

class Search {
public:
  Search(const llvm::Function& item, const std::vector<llvm::Instruction*>& instructions,
         const std::set<const llvm::Value*>& depends)
      : item_(item), instructions_(instructions), depends_(depends) {}

  Relevant run(bool outputs) {
    using Kind = MemoryPlace::Kind;
    for (const llvm::Instruction* instruction : instructions_)
      for (const llvm::Value* pointer : pointers_of(*instruction))
        if (const MemoryPlace place = memory_place(pointer, item_);
            place.kind == Kind::Slots || (outputs && place.kind == Kind::Argument))
          found_.memory.insert(place);
    for (const llvm::Instruction* instruction : instructions_)
      add_events(*instruction);
    std::size_t known = 0;
    do {
      known = found_.values.size() + found_.memory.size();
      follow();
      for (const llvm::Instruction* instruction : instructions_)
        add_written(*instruction);
    } while (known != found_.values.size() + found_.memory.size());
    return std::move(found_);
  }

private:
  void add(const llvm::Value* value) {
    if (depends_.contains(value) && found_.values.insert(value).second)
      work_.push_back(llvm::cast<llvm::Instruction>(value));
  }

  void add_memory(const llvm::Value* pointer) {
    if (const MemoryPlace place = memory_place(pointer, item_);
        place.kind != MemoryPlace::Kind::Given)
      found_.memory.insert(place);
  }

  void add_operands(const llvm::Instruction& instruction) {
    for (const llvm::Use& operand : instruction.operands())
      add(operand.get());
  }

  static llvm::SmallVector<const llvm::Value*, 2> pointers_of(const llvm::Instruction& access) {
    if (const auto* const transfer = dyn_cast<llvm::MemTransferInst>(&access))
      return {transfer->getRawDest(), transfer->getRawSource()};
    if (const auto* const set = dyn_cast<llvm::MemIntrinsic>(&access))
      return {set->getRawDest()};
    if (const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&access))
      return {pointer};
    if (const auto* const update = dyn_cast<llvm::AtomicRMWInst>(&access))
      return {update->getPointerOperand()};
    if (const auto* const exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&access))
      return {exchange->getPointerOperand()};
    return {};
  }

  // What events are about.
  void add_events(const llvm::Instruction& instruction) {
    if (isa<llvm::BranchInst, llvm::SwitchInst>(instruction))
      add_operands(instruction);
    else if (const auto* const choice = dyn_cast<llvm::SelectInst>(&instruction))
      add(choice->getCondition());
    else if (isa<llvm::CmpInst, llvm::AtomicCmpXchgInst>(instruction))
      add(&instruction);
    else if (!isa<llvm::MemIntrinsic>(instruction))
      for (const llvm::Value* pointer : pointers_of(instruction))
        add(pointer);
  }

  void follow() {
    while (!work_.empty()) {
      const llvm::Instruction& instruction = *work_.back();
      work_.pop_back();
      if (isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
        add_memory(pointers_of(instruction)[0]);
      if (const auto* const exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        add(exchange->getPointerOperand());
        add(exchange->getCompareOperand());
      } else if (!isa<llvm::AtomicRMWInst>(instruction)) {
        add_operands(instruction);
      }
    }
  }

  // Values that get where relevant ones are read.
  void add_written(const llvm::Instruction& instruction) {
    const auto pointers = pointers_of(instruction);
    if (pointers.empty() || !found_.is_read(memory_place(pointers[0], item_)))
      return;
    if (const auto* const store = dyn_cast<llvm::StoreInst>(&instruction))
      add(store->getValueOperand());
    else if (const auto* const set = dyn_cast<llvm::MemSetInst>(&instruction))
      add(set->getValue());
    else if (isa<llvm::MemTransferInst>(instruction))
      add_memory(pointers[1]);
    else if (const auto* const update = dyn_cast<llvm::AtomicRMWInst>(&instruction))
      add(update->getValOperand());
    else if (const auto* const exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      add(exchange->getNewValOperand());
  }

  const llvm::Function& item_;
  const std::vector<llvm::Instruction*>& instructions_;
  const std::set<const llvm::Value*>& depends_;
  std::vector<const llvm::Instruction*> work_;
  Relevant found_;
};

} // namespace

MemoryPlace memory_place(const llvm::Value* pointer, const llvm::Function& item) {
  using Kind = MemoryPlace::Kind;
  const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
  if (isa<llvm::AllocaInst, llvm::GlobalVariable>(object))
    return {.kind = Kind::Variable, .variable = object};
  if (isa<llvm::Argument>(object))
    return {.kind = Kind::Given};
  const auto* const load = dyn_cast<llvm::LoadInst>(object);
  if (!load)
    return {};
  const auto word = context_word(*load, item);
  if (word)
    return {.kind = *word == offsetof(gputest_context, slots) / 8 ? Kind::Slots : Kind::Unknown};
  llvm::APInt offset(64, 0);
  const llvm::Value* const list = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      item.getParent()->getDataLayout(), offset, true);
  if (list == item.getArg(1))
    return {.kind = Kind::Argument, .offset = offset.getSExtValue()};
  const auto* const objects = dyn_cast<llvm::LoadInst>(list);
  if (objects && context_word(*objects, item) == offsetof(gputest_context, objects) / 8)
    return {.kind = Kind::Object, .offset = offset.getSExtValue()};
  return {};
}

bool Relevant::is_read(const MemoryPlace& place) const {
  return place.kind == MemoryPlace::Kind::Unknown ? !memory.empty()
                                                  : memory.contains(place) || memory.contains({});
}

Relevant relevant_values(const llvm::Function& item,
                         const std::vector<llvm::Instruction*>& instructions,
                         const std::set<const llvm::Value*>& depends, bool outputs) {
  return Search(item, instructions, depends).run(outputs);
}

} // namespace gputest::testgen
