// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds integer divisions by zero, and shifts by at least the width of the type.
#include "ir/kernels/quotients.h"
#include "ir/protected.h"
#include "simulator/checks/report.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr const char* kOverflow = "computes a signed integer that its type cannot hold";

// The amount of a shift is masked to the width. The author may have written the mask.
bool may_be_at_fault(const llvm::BinaryOperator& operation) {
  using namespace llvm::PatternMatch;
  if (operation.isIntDivRem())
    return !ir::is_harmless_divisor(operation);
  const auto* const mask = llvm::dyn_cast<llvm::Instruction>(operation.getOperand(1));
  return operation.isShift() && mask && mask->hasMetadata(ir::kClamped) &&
         match(mask,
               m_And(m_Value(), m_SpecificInt(operation.getType()->getScalarSizeInBits() - 1)));
}

// The operation goes on with 1 instead.
void check_divisor(CheckedKernel& kernel, llvm::BinaryOperator& operation) {
  llvm::Value* const divisor = operation.getOperand(1);
  Builder builder(&operation);
  llvm::Type* const type = divisor->getType();
  llvm::Value* const zero = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  report_where(builder, kernel, operation, zero, "division_by_zero", "divides an integer by zero");
  llvm::Value* instead = builder.CreateSelect(zero, llvm::ConstantInt::get(type, 1), divisor);
  if (ir::is_signed_division(operation)) { // the smallest number by -1
    llvm::Value* const too_large = ir::is_quotient_too_large(builder, operation);
    report_where(builder, kernel, operation, too_large, "overflow", kOverflow);
    instead = builder.CreateSelect(too_large, llvm::ConstantInt::get(type, 1), instead);
  }
  operation.setOperand(1, instead);
}

// OpenCL C takes the amount modulo the width, as Clang's code does, and CUDA's C++ leaves such a
// shift undefined. Authors hardly ever intend that.
void check_shift(CheckedKernel& kernel, llvm::BinaryOperator& operation) {
  llvm::Value* const amount = llvm::cast<llvm::Instruction>(operation.getOperand(1))->getOperand(0);
  Builder builder(&operation);
  llvm::Value* const width =
      llvm::ConstantInt::get(amount->getType(), operation.getType()->getScalarSizeInBits());
  report_where(builder, kernel, operation, builder.CreateICmpUGE(amount, width), "shift",
               "shifts by at least the width of the type");
}

void check_arithmetic(CheckedKernel& kernel) {
  for (llvm::BinaryOperator* operation : kernel.operations)
    if (operation->isIntDivRem())
      check_divisor(kernel, *operation);
    else if (operation->isShift())
      check_shift(kernel, *operation);
}

} // namespace

const Check& arithmetic_check() {
  static const Check kCheck{.name = "arithmetic",
                            .needs = {.operation = may_be_at_fault},
                            .passes = {{Stage::Operations, check_arithmetic}}};
  return kCheck;
}

} // namespace gputest::simulator
