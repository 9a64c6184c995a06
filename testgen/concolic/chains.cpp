// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/chains.h"

#include "frontend/llvm_version.h"
#include "testgen/concolic/operations.h"

#include <algorithm>
#include <llvm/IR/Module.h>
#include <optional>
#include <ranges>

namespace gputest::testgen {
namespace {

using llvm::dyn_cast;
using llvm::isa;

// The address pointer + index * stride + offset.
struct Element {
  llvm::Value *pointer, *index;
  std::uint64_t stride, offset;
};

std::optional<Element> element_of(const llvm::Instruction& instruction) {
  const auto* const gep = dyn_cast<llvm::GetElementPtrInst>(&instruction);
  frontend::llvm_version::Strides indices;
  llvm::APInt offset(64, 0);
  if (!gep || gep->getType()->isVectorTy() ||
      !gep->collectOffset(instruction.getModule()->getDataLayout(), 64, indices, offset) ||
      indices.size() != 1 || !width_of(*indices.begin()->first->getType()))
    return std::nullopt;
  return Element{const_cast<llvm::Value*>(gep->getPointerOperand()), indices.begin()->first,
                 indices.begin()->second.getZExtValue(), offset.getZExtValue()};
}

// Whether the table computes what the instruction does whatever the operands are.
bool is_total(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isIntegerTy() || !width_of(*instruction.getType()))
    return false;
  if (isa<llvm::CastInst>(instruction))
    return isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(instruction) &&
           width_of(*instruction.getOperand(0)->getType());
  using I = llvm::Instruction;
  switch (instruction.getOpcode()) {
  case I::Add:
  case I::Sub:
  case I::Mul:
  case I::And:
  case I::Or:
  case I::Xor:
    return true;
  case I::Shl:
  case I::LShr:
  case I::AShr: {
    const auto* const by = dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    return by && by->getValue().ult(instruction.getType()->getIntegerBitWidth());
  }
  default:
    return false;
  }
}

class Finder {
public:
  Finder(const std::vector<llvm::Instruction*>& instructions,
         const std::set<const llvm::Value*>& labelled)
      : instructions_(instructions), labelled_(labelled) {
    for (std::size_t i = 0; i < instructions.size(); ++i)
      order_[instructions[i]] = i;
  }

  // Users come first, so that each chain is as long as possible.
  Chains run() {
    for (const llvm::Instruction* last : std::views::reverse(instructions_))
      if (labelled_.contains(last) && !found_.inner.contains(last) &&
          (is_total(*last) || element_of(*last)))
        find(*last);
    return std::move(found_);
  }

private:
  void find(const llvm::Instruction& last) {
    std::vector<const llvm::Instruction*> members{&last};
    std::vector<llvm::Value*> inputs;
    add_operands(last, inputs);
    if (inputs.size() > Chain::kMostInputs)
      return;
    for (std::size_t i = 0; i < inputs.size();) {
      std::vector<llvm::Value*> more = inputs;
      more.erase(more.begin() + static_cast<std::ptrdiff_t>(i));
      const auto* const inner = dyn_cast<llvm::Instruction>(inputs[i]);
      if (!inner || !labelled_.contains(inner) || !inner->hasOneUse() || !is_total(*inner)) {
        ++i;
        continue;
      }
      add_operands(*inner, more);
      if (more.size() > Chain::kMostInputs) {
        ++i;
        continue;
      }
      inputs = std::move(more);
      members.push_back(inner);
      i = 0;
    }
    if (members.size() == 1 && !isa<llvm::GetElementPtrInst>(last))
      return;
    std::ranges::sort(members, {}, [&](const auto* one) { return order_.at(one); });
    found_.inner.insert(members.begin(), members.end() - 1);
    found_.by_last.emplace(&last, FoundChain{chain_of(members, inputs), inputs});
  }

  static std::vector<llvm::Value*> operands_of(const llvm::Instruction& instruction) {
    if (const auto element = element_of(instruction))
      return {element->pointer, element->index};
    return {instruction.op_begin(), instruction.op_end()};
  }

  static void add_operands(const llvm::Instruction& instruction,
                           std::vector<llvm::Value*>& inputs) {
    for (llvm::Value* operand : operands_of(instruction))
      if (!isa<llvm::ConstantInt>(operand) && std::ranges::find(inputs, operand) == inputs.end())
        inputs.push_back(operand);
  }

  static Chain chain_of(const std::vector<const llvm::Instruction*>& members,
                        const std::vector<llvm::Value*>& inputs) {
    Chain chain{.inputs = inputs.size()};
    std::map<const llvm::Value*, std::uint32_t> places;
    for (const llvm::Value* input : inputs)
      places.emplace(input, places.size());
    const auto operand = [&](const llvm::Value* value) -> Chain::Operand {
      const auto bits = static_cast<std::uint8_t>(width_of(*value->getType()));
      if (const auto* const number = dyn_cast<llvm::ConstantInt>(value))
        return {.is_constant = true, .value = number->getZExtValue(), .bits = bits};
      return {.place = places.at(value), .bits = bits};
    };
    const auto add = [&](Op op, unsigned bits, std::vector<Chain::Operand> operands) {
      chain.steps.push_back({.op = op,
                             .bits = static_cast<std::uint8_t>(bits),
                             .operands = static_cast<std::uint8_t>(operands.size()),
                             .a = operands.front(),
                             .b = operands.back()});
      const std::size_t place = chain.inputs + chain.steps.size() - 1;
      return Chain::Operand{.place = static_cast<std::uint32_t>(place),
                            .bits = static_cast<std::uint8_t>(bits)};
    };
    for (const llvm::Instruction* member : members) {
      Chain::Operand result;
      if (const auto element = element_of(*member)) {
        Chain::Operand index = operand(element->index);
        if (index.bits != 64)
          index = add(index.bits < 64 ? Op::SExt : Op::Trunc, 64, {index});
        index = add(Op::Mul, 64, {index, {.is_constant = true, .value = element->stride}});
        result = add(Op::Add, 64, {operand(element->pointer), index});
        if (element->offset != 0)
          result = add(Op::Add, 64, {result, {.is_constant = true, .value = element->offset}});
      } else if (const auto* const cast = dyn_cast<llvm::CastInst>(member)) {
        result =
            add(*conversion_of(*cast), width_of(*cast->getType()), {operand(cast->getOperand(0))});
      } else {
        result = add(*operation_of(*member), width_of(*member->getType()),
                     {operand(member->getOperand(0)), operand(member->getOperand(1))});
      }
      places.emplace(member, result.place);
    }
    return chain;
  }

  const std::vector<llvm::Instruction*>& instructions_;
  const std::set<const llvm::Value*>& labelled_;
  std::map<const llvm::Instruction*, std::size_t> order_;
  Chains found_;
};

} // namespace

Chains find_chains(const std::vector<llvm::Instruction*>& instructions,
                   const std::set<const llvm::Value*>& labelled) {
  return Finder(instructions, labelled).run();
}

} // namespace gputest::testgen
