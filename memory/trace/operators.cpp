// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/operators.h"

#include <utility>

namespace gputest::memory {

std::optional<Operator> operator_of(const llvm::Instruction& instruction) {
  using I = llvm::Instruction;
  static constexpr std::pair<unsigned, Operator> kOperators[]{
      {I::Add, Operator::Add},         {I::Mul, Operator::Multiply},
      {I::And, Operator::And},         {I::Or, Operator::Or},
      {I::Xor, Operator::Xor},         {I::Shl, Operator::ShiftLeft},
      {I::LShr, Operator::ShiftRight}, {I::AShr, Operator::ShiftRightSigned},
      {I::UDiv, Operator::Divide},     {I::SDiv, Operator::DivideSigned},
      {I::URem, Operator::Remainder},  {I::SRem, Operator::RemainderSigned}};
  for (const auto& [opcode, known] : kOperators)
    if (opcode == instruction.getOpcode())
      return known;
  return std::nullopt;
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
