// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/translated.h"

#include "testgen/concolic/composed.h"
#include "testgen/concolic/operations.h"

#include <utility>

namespace gputest::testgen {

Label translated(Table& table, const llvm::Instruction& instruction, std::vector<Label> operands) {
  const unsigned bits = width_of(*instruction.getType());
  if (const auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    const auto op = conversion_of(*cast);
    return op ? table.make(*op, bits, operands[0]) : 0;
  }
  if (const auto* const comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    const auto how = comparison_of(comparison->getPredicate());
    if (!how)
      return table.constant(comparison->getPredicate() == llvm::CmpInst::FCMP_TRUE, 1);
    if (how->swapped)
      std::swap(operands[0], operands[1]);
    Label label = table.make(how->first, 1, operands[0], operands[1]);
    if (how->second)
      label = table.make(Op::Or, 1, label, table.make(*how->second, 1, operands[0], operands[1]));
    return how->negated ? table.negation(label) : label;
  }
  if (llvm::isa<llvm::SelectInst>(instruction))
    return table.make(Op::Select, bits, operands[0], operands[1], operands[2]);
  if (const auto op = operation_of(instruction))
    return table.make(*op, bits, operands[0], operands.size() > 1 ? operands[1] : 0);
  if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    operands.resize(3);
    if (const auto composed = composed_operation(call->getIntrinsicID()))
      return compose(table, *composed, bits, {operands[0], operands[1], operands[2]});
    if (const auto op = intrinsic_operation(call->getIntrinsicID())) {
      const bool one = *op != Op::FMin && *op != Op::FMax && *op != Op::FMulAdd;
      return table.make(*op, bits, operands[0], one ? 0 : operands[1], one ? 0 : operands[2]);
    }
  }
  return 0;
}

Label way_taken(Table& table, const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                const std::function<Label(const llvm::Value*)>& number,
                const std::function<Label(Op, Label, Label)>& make) {
  const llvm::Instruction* const end = from.getTerminator();
  if (const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
    if (!branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return table.constant(1, 1);
    const Label condition = number(branch->getCondition());
    return !condition || branch->getSuccessor(0) == &to ? condition : table.negation(condition);
  }
  const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(end);
  const Label chosen = choice ? number(choice->getCondition()) : 0;
  if (!chosen)
    return 0;
  Label any = table.constant(0, 1), none = table.constant(1, 1);
  for (const auto& one : choice->cases()) {
    const Label is = make(Op::Equal, chosen,
                          table.constant(one.getCaseValue()->getZExtValue(), table[chosen].bits));
    if (one.getCaseSuccessor() == &to)
      any = make(Op::Or, any, is);
    none = make(Op::And, none, table.negation(is));
  }
  return choice->getDefaultDest() == &to ? make(Op::Or, any, none) : any;
}

} // namespace gputest::testgen
