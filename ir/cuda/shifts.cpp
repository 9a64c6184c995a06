// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/shifts.h"

#include "ir/protected.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/KnownBits.h>

#include <vector>

namespace gputest::ir {
namespace {

bool is_surely_less(const llvm::Value* amount, unsigned width, const llvm::DataLayout& layout) {
  return llvm::computeKnownBits(amount, layout).getMaxValue().ult(width);
}

void clamp(llvm::BinaryOperator& shift) {
  llvm::IRBuilder<> builder(&shift);
  llvm::Value* const value = shift.getOperand(0);
  llvm::Value* const amount = shift.getOperand(1);
  llvm::Type* const type = shift.getType();
  llvm::Constant* const most = llvm::ConstantInt::get(type, type->getIntegerBitWidth() - 1);
  llvm::Value* const large = builder.CreateICmpUGT(amount, most);
  llvm::Value* const instead = shift.getOpcode() == llvm::Instruction::AShr
                                   ? builder.CreateAShr(value, most)
                                   : llvm::Constant::getNullValue(type);
  // Not made by the builder, which folds what is constant.
  llvm::BinaryOperator* const masked = llvm::BinaryOperator::CreateAnd(amount, most);
  masked->insertBefore(&shift);
  masked->setDebugLoc(shift.getDebugLoc());
  shift.setOperand(1, masked);
  shift.dropPoisonGeneratingFlags();
  masked->setMetadata(kClamped, llvm::MDNode::get(shift.getContext(), {}));
  builder.SetInsertPoint(shift.getNextNode());
  builder.SetCurrentDebugLocation(shift.getDebugLoc());
  auto* const result = llvm::SelectInst::Create(large, instead, &shift);
  builder.Insert(result);
  shift.replaceUsesWithIf(result, [&](const llvm::Use& use) { return use.getUser() != result; });
}

} // namespace

void clamp_shifts(llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  std::vector<llvm::BinaryOperator*> shifts;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const shift = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
          shift && shift->isShift() && shift->getType()->isIntegerTy() &&
          !is_surely_less(shift->getOperand(1), shift->getType()->getIntegerBitWidth(), layout))
        shifts.push_back(shift);
  for (llvm::BinaryOperator* shift : shifts)
    clamp(*shift);
}

} // namespace gputest::ir
