// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/obstacles.h"

#include "ir/host.h"
#include "ir/lowered_names.h"
#include "templates/simulator/context.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace gputest::simulator {
namespace {

// Larger kernels are not worth the time: what they access is hardly ever that simple.
constexpr std::size_t kMostInstructions = 20'000;

// A function of the kernel's own code or a built-in one that changes no memory that others see.
bool is_private(const llvm::Function& function) {
  if (function.doesNotAccessMemory())
    return true;
  if (function.isDeclaration())
    return false;
  return llvm::all_of(llvm::instructions(function), [](const llvm::Instruction& each) {
    if (!each.mayReadOrWriteMemory())
      return true;
    const llvm::Value* place = nullptr;
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&each))
      place = load->getPointerOperand();
    else if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&each))
      place = store->getPointerOperand();
    else if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&each))
      return call->isLifetimeStartOrEnd() || call->isAssumeLikeIntrinsic();
    if (!place)
      return false;
    const llvm::Value* const object = llvm::getUnderlyingObject(place, 0);
    const auto* const constant = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return llvm::isa<llvm::AllocaInst>(object) || (constant && constant->isConstant());
  });
}

// Functions of the simulator that stop a work-item or end the launch.
bool is_stop(llvm::StringRef name) {
  constexpr const char* kNames[] = {ir::kBarrierFunction,     ir::kWarpFunction,
                                    "gputest_assert",         "gputest_trap",
                                    "gputest_end_misaligned", "gputest_host_call"};
  return llvm::is_contained(kNames, name);
}

// Whether it loads gputest_context::objects.
bool is_table_of_objects(const llvm::LoadInst& load) {
  llvm::APInt at(64, 0);
  return load.getPointerOperand()->stripAndAccumulateConstantOffsets(
             load.getModule()->getDataLayout(), at, true) == load.getFunction()->getArg(0) &&
         at == offsetof(gputest_context, objects);
}

} // namespace

std::string obstacle(llvm::Function& item, const ir::KernelShape& shape) {
  if (shape.in_turns || shape.grid)
    return "work-groups wait for each other";
  if (item.getInstructionCount() > kMostInstructions)
    return "the kernel is large";
  for (const llvm::Instruction& each : llvm::instructions(item)) {
    if (each.isVolatile())
      return "it has volatile accesses";
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&each);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call))
      continue;
    const llvm::Function* const callee = call->getCalledFunction();
    if (!callee || !(is_stop(callee->getName()) || is_private(*callee)))
      return fmt::format("it calls '{}'", callee ? callee->getName().str() : "a pointer");
  }
  return "";
}

bool points_into_group(const llvm::Value* pointer, const ir::KernelShape& shape) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return llvm::all_of(objects, [&](const llvm::Value* object) {
    if (llvm::isa<llvm::AllocaInst>(object))
      return true;
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
      return variable->isConstant() || variable->getAddressSpace() == ir::kLocalSpace;
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object);
    if (!load)
      return false;
    if (is_table_of_objects(*load))
      return true;
    llvm::APInt at(64, 0);
    const auto* const table =
        llvm::dyn_cast<llvm::LoadInst>(load->getPointerOperand()->stripAndAccumulateConstantOffsets(
            load->getModule()->getDataLayout(), at, true));
    const std::uint64_t number = at.getZExtValue() / sizeof(gputest_context::gputest_object);
    return table && is_table_of_objects(*table) && number < shape.objects.size() &&
           shape.objects[number].kind == ir::Object::Kind::LocalVariable;
  });
}

bool is_of_group(const ir::Object& object, const ir::KernelShape& shape) {
  switch (object.kind) {
  case ir::Object::Kind::Argument:
    return shape.parameters[object.parameter].kind == ir::Parameter::Kind::Local;
  case ir::Object::Kind::ProgramVariable:
    return false;
  case ir::Object::Kind::LocalVariable:
  case ir::Object::Kind::PrivateVariable:
  case ir::Object::Kind::Constant:
    return true;
  }
  return false;
}

unsigned update_by(const llvm::Instruction& instruction) {
  using Operation = llvm::AtomicRMWInst;
  const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!update || !update->use_empty())
    return 0;
  switch (update->getOperation()) {
  case Operation::Add:
  case Operation::Sub:
    return 1;
  case Operation::And:
  case Operation::Or:
  case Operation::Xor:
  case Operation::Max:
  case Operation::Min:
  case Operation::UMax:
  case Operation::UMin:
    return 2 + static_cast<unsigned>(update->getOperation());
  default:
    return 0;
  }
}

} // namespace gputest::simulator
