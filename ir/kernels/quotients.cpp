// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/quotients.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include <vector>

namespace gputest::ir {

bool is_signed_division(const llvm::BinaryOperator& operation) {
  return operation.getOpcode() == llvm::Instruction::SDiv ||
         operation.getOpcode() == llvm::Instruction::SRem;
}

bool is_harmless_divisor(const llvm::BinaryOperator& division) {
  const auto* const constant = llvm::dyn_cast<llvm::Constant>(division.getOperand(1));
  if (!constant)
    return false;
  const auto harmless = [&](const llvm::Constant* one) {
    const auto* const number = llvm::dyn_cast_or_null<llvm::ConstantInt>(one);
    return number && !number->isZero() && !(is_signed_division(division) && number->isMinusOne());
  };
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(constant->getType());
  if (!vector)
    return harmless(constant);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    if (!harmless(constant->getAggregateElement(i)))
      return false;
  return true;
}

llvm::Value* is_quotient_too_large(llvm::IRBuilder<>& builder,
                                   const llvm::BinaryOperator& division) {
  llvm::Type* const type = division.getType();
  llvm::Value* const smallest =
      llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
  return builder.CreateAnd(
      builder.CreateICmpEQ(division.getOperand(0), smallest),
      builder.CreateICmpEQ(division.getOperand(1), llvm::Constant::getAllOnesValue(type)));
}

void define_large_quotients(llvm::Module& module) {
  std::vector<llvm::BinaryOperator*> divisions;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
          division && is_signed_division(*division) && !is_harmless_divisor(*division))
        divisions.push_back(division);
  for (llvm::BinaryOperator* division : divisions) {
    llvm::IRBuilder<> builder(division);
    division->setOperand(1, builder.CreateSelect(is_quotient_too_large(builder, *division),
                                                 llvm::ConstantInt::get(division->getType(), 1),
                                                 division->getOperand(1)));
  }
}

} // namespace gputest::ir
