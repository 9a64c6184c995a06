// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/dependence.h"

#include "testgen/concolic/recorder.h"

#include <cstddef>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

namespace gputest::testgen {
namespace {

bool is_argument_pointer(const llvm::LoadInst& load, const llvm::Function& item) {
  return load.getType()->isPointerTy() &&
         llvm::getUnderlyingObject(load.getPointerOperand(), 0) == item.getArg(1);
}

bool is_source(const llvm::Instruction& instruction, const llvm::Function& item,
               bool launch_sizes) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (const auto word = context_word(*load, item))
      return launch_sizes && *word < kLaunchWords &&
             (*word < offsetof(gputest_context, work_dim) / 8 ||
              *word >= offsetof(gputest_context, local_size) / 8);
    if (is_argument_pointer(*load, item))
      return false;
    const llvm::Value* const object = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
      return !variable->isConstant();
    if (const auto* const inner = llvm::dyn_cast<llvm::LoadInst>(object))
      return !context_word(*inner, item) || !load->getType()->isPointerTy();
    return true;
  }
  return llvm::isa<llvm::AtomicRMWInst>(instruction) ||
         llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
}

} // namespace

std::optional<std::uint64_t> context_word(const llvm::LoadInst& load, const llvm::Function& item) {
  llvm::APInt offset(64, 0);
  if (load.getPointerOperand()->stripAndAccumulateConstantOffsets(item.getParent()->getDataLayout(),
                                                                  offset, true) != item.getArg(0))
    return std::nullopt;
  return offset.getZExtValue() / 8;
}

bool is_in_slot(const llvm::Value* pointer, const llvm::Function& item) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(pointer, 0));
  return load && context_word(*load, item) == offsetof(gputest_context, slots) / 8;
}

std::set<const llvm::Value*> values_that_depend(const llvm::Function& item,
                                                const std::vector<llvm::Instruction*>& instructions,
                                                bool launch_sizes) {
  std::set<const llvm::Value*> depends;
  std::vector<llvm::Instruction*> work;
  const auto add = [&](llvm::Instruction* instruction) {
    if (!instruction->getType()->isVoidTy() && depends.insert(instruction).second)
      work.push_back(instruction);
  };
  for (llvm::Instruction* instruction : instructions)
    if (is_source(*instruction, item, launch_sizes))
      add(instruction);
  while (!work.empty()) {
    const llvm::Instruction* const instruction = work.back();
    work.pop_back();
    for (const llvm::User* user : instruction->users())
      if (auto* const next =
              const_cast<llvm::Instruction*>(llvm::dyn_cast<llvm::Instruction>(user)))
        add(next);
  }
  return depends;
}

} // namespace gputest::testgen
