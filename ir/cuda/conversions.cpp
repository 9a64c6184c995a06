// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/conversions.h"

#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <vector>

namespace gputest::ir {

llvm::Value* saturated_integer(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Type* to,
                               bool is_signed) {
  llvm::Value* const result =
      builder.CreateIntrinsic(is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                              {to, value->getType()}, {value});
  const unsigned width = to->getIntegerBitWidth();
  if (width < 64 && !value->getType()->isDoubleTy())
    return result; // the intrinsic gives 0
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                              llvm::ConstantInt::get(to, llvm::APInt::getSignMask(width)), result);
}

void saturate_conversions(llvm::Module& module) {
  std::vector<llvm::CastInst*> conversions;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction);
          cast && cast->getType()->isIntegerTy() && cast->getType()->getIntegerBitWidth() <= 64 &&
          (llvm::isa<llvm::FPToSIInst>(cast) || llvm::isa<llvm::FPToUIInst>(cast)))
        conversions.push_back(cast);
  for (llvm::CastInst* cast : conversions) {
    llvm::IRBuilder<> builder(cast);
    llvm::Type* const wide =
        builder.getIntNTy(std::max(32u, cast->getType()->getIntegerBitWidth()));
    llvm::Value* const result =
        saturated_integer(builder, cast->getOperand(0), wide, llvm::isa<llvm::FPToSIInst>(cast));
    cast->replaceAllUsesWith(builder.CreateTrunc(result, cast->getType()));
    cast->eraseFromParent();
  }
}

} // namespace gputest::ir
