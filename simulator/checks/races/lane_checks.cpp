// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/lane_checks.h"

#include "ir/call.h"
#include "ir/cuda/spins.h"
#include "ir/host.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>

namespace gputest::simulator {
namespace {

bool is_no_atomic(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) && !instruction.isAtomic();
}

bool is_polled(const llvm::Instruction& instruction) {
  return instruction.hasMetadata(ir::kPolled);
}

// Whether it reads the block of arguments, the context, or what the context points to and a launch
// does not change.
bool reads_launch(const llvm::LoadInst& load) {
  const llvm::Value* const object = llvm::getUnderlyingObject(load.getPointerOperand(), 0);
  if (const auto* const pointer = llvm::dyn_cast<llvm::LoadInst>(object))
    return load.hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
           llvm::getUnderlyingObject(pointer->getPointerOperand(), 0) ==
               load.getFunction()->getArg(0);
  return llvm::isa<llvm::Argument>(object);
}

// Whether its value depends only on its operands and the launch.
bool only_computes(const llvm::Instruction& instruction) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return reads_launch(*load);
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function* const callee = call->getCalledFunction();
    return callee && (call->doesNotAccessMemory() ||
                      callee->getName().starts_with("gputest_")); // checks of a pointer
  }
  return !instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::AllocaInst>(instruction);
}

bool is_lane_address(const llvm::Value& address) {
  constexpr unsigned kMost = 500;
  llvm::SmallPtrSet<const llvm::Value*, 32> seen{&address};
  llvm::SmallVector<const llvm::Value*, 32> open{&address};
  while (!open.empty()) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!instruction)
      continue;
    if (!only_computes(*instruction) || seen.size() > kMost)
      return false;
    const auto* const choice = llvm::dyn_cast<llvm::SelectInst>(instruction);
    if (!llvm::isa<llvm::LoadInst>(instruction))
      for (const llvm::Value* operand : instruction->operand_values())
        if ((!choice || operand != choice->getCondition()) && seen.insert(operand).second)
          open.push_back(operand);
  }
  return true;
}

} // namespace

void LaneChecks::note(const std::vector<ir::Access>& shared, ir::KernelShape& shape) {
  bool read = false, written = false;
  for (const ir::Access& access : shared) {
    const llvm::Instruction& instruction = *access.instruction;
    if (access.atomic && is_no_atomic(instruction) && access.space() != ir::kLocalSpace &&
        is_lane_address(*access.pointer())) {
      of_global_.insert(&instruction);
      (access.write ? written : read) = true;
    }
    flags_ = flags_ || is_polled(instruction) || (access.atomic && !is_no_atomic(instruction));
  }
  if (!read || !written)
    of_global_.clear();
  steps_ = shape.steps;
  shape.lock_step = steps_ || !of_global_.empty();
  flags_ = flags_ && shape.lock_step;
}

bool LaneChecks::examines(const ir::Access& access) const {
  return (steps_ && is_no_atomic(*access.instruction) && access.space() != ir::kGlobalSpace) ||
         of_global_.contains(access.instruction);
}

void LaneChecks::examine(llvm::IRBuilder<>& builder, const ir::Access& access, llvm::Value* pointer,
                         llvm::Value* site, llvm::Value* local, llvm::Value* stored) const {
  const llvm::Instruction& instruction = *access.instruction;
  ir::call_by_name(
      builder, "gputest_in_step", builder.getVoidTy(),
      {pointer, access.size, site, of_global_.contains(&instruction) ? builder.getInt32(1) : local,
       builder.getInt32(access.write), builder.getInt32(is_polled(instruction)), stored});
}

void LaneChecks::message(llvm::IRBuilder<>& builder, const ir::Access& access, llvm::Value* pointer,
                         llvm::Value* writes) const {
  const llvm::Instruction& instruction = *access.instruction;
  const bool receives = !llvm::isa<llvm::StoreInst>(instruction) &&
                        (!is_no_atomic(instruction) || is_polled(instruction));
  ir::call_by_name(builder, "gputest_message", builder.getVoidTy(),
                   {pointer, builder.getInt32(receives), writes});
}

} // namespace gputest::simulator
