// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/race_acquires.h"

#include "ir/call.h"
#include "ir/host.h"
#include "ir/lowered_names.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <array>
#include <cstdint>
#include <utility>

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

// The values of the place before and after an access, as integers; of others than 1, 2, 4 and 8
// bytes, equal ones.
std::pair<llvm::Value*, llvm::Value*>
values_of(const ir::Access& access, llvm::IRBuilder<>& builder, const StrongAccess& what) {
  const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(access.size);
  const std::uint64_t bytes = size ? size->getZExtValue() : 0;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return {builder.getInt64(0), builder.getInt64(0)};
  llvm::Type* const bits = builder.getIntNTy(static_cast<unsigned>(8 * bytes));
  const auto number = [&](llvm::Value* value) {
    llvm::Value* const whole = value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, bits)
                                                               : builder.CreateBitCast(value, bits);
    return builder.CreateZExt(whole, builder.getInt64Ty());
  };
  const auto now = [&](llvm::Type* type) {
    return builder.CreateAlignedLoad(type, what.pointer, llvm::Align(1));
  };
  llvm::Value* const before = number(now(bits));
  llvm::Value* after = before;
  if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(access.instruction)) {
    after = number(store->getValueOperand());
  } else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(access.instruction)) {
    after = builder.CreateSelect(builder.CreateIsNotNull(what.writes),
                                 number(exchange->getNewValOperand()), before);
  } else if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(access.instruction)) {
    after = number(llvm::buildAtomicRMWValue(update->getOperation(), builder,
                                             now(update->getType()), update->getValOperand()));
  }
  return {before, after};
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

bool is_of_block(const llvm::Instruction& instruction) {
  const auto scope = llvm::getAtomicSyncScopeID(&instruction);
  return scope && *scope == instruction.getContext().getOrInsertSyncScopeID(ir::kBlockScope);
}

void tell_of_strong(const ir::Access& access, llvm::IRBuilder<>& builder,
                    const StrongAccess& what) {
  const llvm::Instruction& instruction = *access.instruction;
  const auto [before, after] = values_of(access, builder, what);
  ir::call_by_name(builder, "gputest_strong", builder.getVoidTy(),
                   {what.pointer, what.local,
                    builder.getInt32(!llvm::isa<llvm::StoreInst>(instruction)), what.writes,
                    builder.getInt32(instruction.hasMetadata(kAcquires)),
                    builder.getInt32(instruction.hasMetadata(kReleases)),
                    builder.getInt32(is_of_block(instruction)), before, after});
}

} // namespace gputest::simulator
