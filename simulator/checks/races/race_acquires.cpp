// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/race_acquires.h"

#include "ir/lowered_names.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <array>

namespace gputest::simulator {
namespace {

llvm::AtomicOrdering order_of(const llvm::Instruction& instruction) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getOrdering();
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getOrdering();
  if (const auto* const operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return operation->getOrdering();
  if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getSuccessOrdering();
  return llvm::AtomicOrdering::NotAtomic;
}

void note(llvm::Instruction& instruction, llvm::AtomicOrdering order) {
  llvm::MDNode* const yes = llvm::MDNode::get(instruction.getContext(), {});
  instruction.setMetadata(kAcquires, llvm::isAcquireOrStronger(order) ? yes : nullptr);
  instruction.setMetadata(kReleases, llvm::isReleaseOrStronger(order) ? yes : nullptr);
}

// Follows a value from parameter to parameter. Returns null if it is no constant.
const llvm::ConstantInt* constant_of(const llvm::Value* value, unsigned most_copies = 16) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
  const auto* const variable =
      load ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
  if (!variable || most_copies == 0)
    return llvm::dyn_cast<llvm::ConstantInt>(value);
  const llvm::ConstantInt* only = nullptr;
  for (const llvm::User* user : variable->users()) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store && (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::IntrinsicInst>(user)))
      continue;
    const llvm::ConstantInt* const stored =
        store ? constant_of(store->getValueOperand(), most_copies - 1) : nullptr;
    if (!stored || (only && stored != only))
      return nullptr;
    only = stored;
  }
  return only;
}

// An order that is not known stays the strongest.
void note_named_order(const llvm::CallInst& call) {
  using enum llvm::AtomicOrdering;
  constexpr std::array kOrders{Monotonic, Acquire, Acquire, Release, AcquireRelease};
  const llvm::ConstantInt* const order = constant_of(call.getArgOperand(0));
  if (!order || order->getZExtValue() >= kOrders.size())
    return;
  for (auto* next = const_cast<llvm::Instruction*>(call.getNextNode()); next;
       next = next->getNextNode())
    if (next->isAtomic())
      return note(*next, kOrders.at(order->getZExtValue()));
}

} // namespace

void note_orders(CheckedKernel& kernel) {
  for (llvm::Instruction& instruction : llvm::instructions(kernel.item))
    if (instruction.isAtomic())
      note(instruction, order_of(instruction));
  if (llvm::Function* const orders = kernel.item.getParent()->getFunction(ir::kOrderFunction))
    for (llvm::User* user : llvm::make_early_inc_range(orders->users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      if (call->getFunction() == &kernel.item)
        note_named_order(*call);
      call->eraseFromParent();
    }
}

} // namespace gputest::simulator
