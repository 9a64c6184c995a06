// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/shift_amounts.h"

#include "ir/protected.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

namespace gputest::ir {

namespace {

// Without optimisation, arguments are variables: each is stored before it is used.
bool is_optimised(const llvm::Function& function) {
  for (const llvm::Argument& argument : function.args())
    for (const llvm::User* user : argument.users()) {
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (!argument.hasByValAttr() &&
          !(store && llvm::isa<llvm::AllocaInst>(store->getPointerOperand())))
        return true;
    }
  return llvm::none_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction);
  });
}

} // namespace

void mark_masked_shifts(llvm::Module& module, MadeBy made_by) {
  using namespace llvm::PatternMatch;
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module) {
    if (made_by == MadeBy::AnyCompiler && is_optimised(function))
      continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!instruction.isShift())
        continue;
      const unsigned width = instruction.getType()->getScalarSizeInBits();
      auto* const mask = llvm::dyn_cast<llvm::BinaryOperator>(instruction.getOperand(1));
      llvm::Value* amount = nullptr;
      if (mask && match(mask, m_And(m_Value(amount), m_SpecificInt(width - 1))) &&
          !llvm::computeKnownBits(amount, layout).getMaxValue().ult(width))
        mask->setMetadata(kClamped, llvm::MDNode::get(module.getContext(), {}));
    }
  }
}

} // namespace gputest::ir
