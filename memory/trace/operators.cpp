// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/operators.h"

namespace gputest::memory {

std::optional<Operator> operator_of(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Add:
    return Operator::Add;
  case llvm::Instruction::Mul:
    return Operator::Multiply;
  case llvm::Instruction::And:
    return Operator::And;
  case llvm::Instruction::Or:
    return Operator::Or;
  case llvm::Instruction::Xor:
    return Operator::Xor;
  case llvm::Instruction::Shl:
    return Operator::ShiftLeft;
  case llvm::Instruction::LShr:
    return Operator::ShiftRight;
  case llvm::Instruction::AShr:
    return Operator::ShiftRightSigned;
  case llvm::Instruction::UDiv:
    return Operator::Divide;
  case llvm::Instruction::SDiv:
    return Operator::DivideSigned;
  case llvm::Instruction::URem:
    return Operator::Remainder;
  case llvm::Instruction::SRem:
    return Operator::RemainderSigned;
  default:
    return std::nullopt;
  }
}

Operator operator_of(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return Operator::Equal;
  case llvm::CmpInst::ICMP_NE:
    return Operator::Unequal;
  case llvm::CmpInst::ICMP_ULT:
    return Operator::Less;
  case llvm::CmpInst::ICMP_ULE:
    return Operator::LessOrEqual;
  case llvm::CmpInst::ICMP_SLT:
    return Operator::LessSigned;
  default:
    return Operator::LessOrEqualSigned;
  }
}

} // namespace gputest::memory
