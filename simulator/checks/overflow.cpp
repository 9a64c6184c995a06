// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds signed sums, differences and products that overflow.
#include "simulator/checks/report.h"

#include <llvm/IR/Intrinsics.h>

namespace gputest::simulator {
namespace {

bool is_sum_or_product(const llvm::BinaryOperator& operation) {
  return operation.getOpcode() == llvm::Instruction::Add ||
         operation.getOpcode() == llvm::Instruction::Sub ||
         operation.getOpcode() == llvm::Instruction::Mul;
}

bool may_overflow(const llvm::BinaryOperator& operation) {
  return is_sum_or_product(operation) && operation.hasNoSignedWrap();
}

void check_overflow(CheckedKernel& kernel) {
  for (llvm::BinaryOperator* operation : kernel.operations) {
    if (!is_sum_or_product(*operation))
      continue;
    llvm::IRBuilder<> builder(operation);
    const llvm::Intrinsic::ID id =
        operation->getOpcode() == llvm::Instruction::Add   ? llvm::Intrinsic::sadd_with_overflow
        : operation->getOpcode() == llvm::Instruction::Sub ? llvm::Intrinsic::ssub_with_overflow
                                                           : llvm::Intrinsic::smul_with_overflow;
    llvm::Value* const both =
        builder.CreateBinaryIntrinsic(id, operation->getOperand(0), operation->getOperand(1));
    report_where(builder, kernel, *operation, builder.CreateExtractValue(both, 1), "overflow",
                 "computes a signed integer that its type cannot hold");
    operation->setHasNoSignedWrap(false);
  }
}

} // namespace

const Check& overflow_check() {
  static const Check kCheck{.name = "overflow",
                            .needs = {.operation = may_overflow},
                            .passes = {{Stage::Operations, check_overflow}}};
  return kCheck;
}

} // namespace gputest::simulator
