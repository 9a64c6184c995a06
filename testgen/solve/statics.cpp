// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/statics.h"

#include "testgen/concolic/operations.h"
#include "testgen/solve/asked.h"
#include "testgen/solve/condition_text.h"
#include "testgen/solve/names.h"
#include "testgen/solve/translated.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <set>
#include <utility>

namespace gputest::testgen {

Statics::Statics(llvm::Function& item, const ir::KernelShape& shape, std::string_view source)
    : item_(item), shape_(shape), dominators_(item), loops_(dominators_) {
  for (unsigned i = 0; i < 3; ++i)
    values_[item.getArg(2 + i)] = anything(64, fmt::format("get_local_id({})", i), true);
  facts_of_launch();
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item);
  for (llvm::BasicBlock* block : order)
    for (llvm::Instruction& instruction : *block) {
      if (instruction.getType()->isVoidTy() || instruction.getType()->isVectorTy() ||
          !width_of(*instruction.getType()))
        continue;
      Label label = translate(instruction);
      if (!label) {
        const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        const auto asked = load ? asked_before(*load, item) : std::nullopt;
        label = anything(
            width_of(*instruction.getType()),
            asked ? name_of_question(asked->kind)
                  : name_of(instruction, source,
                            [&](const llvm::Value& index) { return text_of_index(index); }),
            instruction.getName().starts_with(kCountedLoop));
        made_by_[label] = &instruction;
        if (asked)
          launch_facts_[label] = facts_of_answer(table, asked->kind, label, operand(asked->value));
      }
      values_[&instruction] = label;
      if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
        phis_[label] = phi;
    }
}

// Indices of many words have none.
std::optional<std::string> Statics::text_of_index(const llvm::Value& index) {
  constexpr std::size_t kMost = 24;
  const Label label = operand(&index);
  if (!label)
    return std::nullopt;
  std::string text = text_of_value(table, label, {.names = names, .naturals = naturals}, kMost);
  return text.size() <= kMost ? std::optional(std::move(text)) : std::nullopt;
}

Label Statics::anything(unsigned bits, const std::string& name, bool natural) {
  units.push_back({.kind = Unit::Kind::Free, .size = static_cast<std::uint8_t>((bits + 7) / 8)});
  names.push_back(name);
  naturals.push_back(natural);
  return table.add_input(bits);
}

Label Statics::argument(std::size_t parameter, std::uint64_t offset, unsigned bytes) {
  const ir::Parameter& of = shape_.parameters[parameter];
  Label& label = arguments_[{of.offset + offset, bytes}];
  if (!label) {
    label = anything(8 * bytes,
                     of.size == bytes ? of.name : fmt::format("(byte {} of {})", offset, of.name),
                     is_unsigned(of.type));
    units.back() = {.kind = Unit::Kind::Argument,
                    .size = static_cast<std::uint8_t>(bytes),
                    .argument = static_cast<std::uint32_t>(parameter),
                    .offset = offset};
  }
  return label;
}

Label Statics::value(const llvm::Value* value) const {
  const auto known = values_.find(value);
  return known == values_.end() ? 0 : known->second;
}

Label Statics::operand(const llvm::Value* value) {
  const unsigned bits = width_of(*value->getType());
  if (!bits || value->getType()->isVectorTy())
    return 0;
  if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(value))
    return table.constant(number->getZExtValue(), bits);
  if (const auto* const number = llvm::dyn_cast<llvm::ConstantFP>(value))
    return table.constant(number->getValueAPF().bitcastToAPInt().getZExtValue(), bits);
  if (llvm::isa<llvm::ConstantPointerNull>(value))
    return table.constant(0, bits);
  const auto known = values_.find(value);
  if (known != values_.end())
    return known->second;
  // Undefined values, addresses of variables, and values of blocks that come later.
  return 0;
}

Label Statics::translate(const llvm::Instruction& instruction) {
  const unsigned bits = width_of(*instruction.getType());
  const llvm::DataLayout& layout = item_.getParent()->getDataLayout();
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    const std::uint64_t at = offset.getZExtValue();
    if (base == item_.getArg(0))
      return context(at / 8);
    if (base != item_.getArg(1) || load->getType()->isPointerTy())
      return 0;
    for (std::size_t i = 0; i < shape_.parameters.size(); ++i) {
      const ir::Parameter& parameter = shape_.parameters[i];
      if (at >= parameter.offset && at + bits / 8 <= parameter.offset + parameter.size)
        return argument(i, at - parameter.offset, bits / 8);
    }
    return 0;
  }
  std::vector<Label> operands;
  const unsigned count = llvm::isa<llvm::CallBase>(instruction)
                             ? llvm::cast<llvm::CallBase>(instruction).arg_size()
                             : instruction.getNumOperands();
  if (llvm::isa<llvm::PHINode>(instruction) || count == 0 || count > 3)
    return 0;
  for (unsigned i = 0; i < count; ++i)
    operands.push_back(operand(instruction.getOperand(i)));
  if (std::ranges::find(operands, Label{0}) != operands.end())
    return 0;
  const Label label = translated(table, instruction, operands);
  const auto product = products_.find(label);
  const Label first = product == products_.end() ? first_item(label) : product->second;
  return first ? first : label;
}

Label Statics::taken(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  const Label way = way_taken(
      table, from, to, [&](const llvm::Value* value) { return operand(value); },
      [&](Op op, Label a, Label b) { return table.make(op, 1, a, b); });
  return way ? way : table.constant(1, 1);
}

// A decision on every path to a block still holds there for the current values. If its operands
// could be recomputed without the decision, some path would avoid it.
Label Statics::reached(const llvm::BasicBlock& block) {
  if (const auto known = reached_.find(&block); known != reached_.end())
    return known->second;
  // From the entry down, so that deep kernels need no deep stack.
  std::vector<const llvm::BasicBlock*> path;
  for (const llvm::DomTreeNode* node = dominators_.getNode(&block);
       node && !reached_.contains(node->getBlock()); node = node->getIDom())
    path.push_back(node->getBlock());
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    const llvm::DomTreeNode* const above = dominators_.getNode(*at)->getIDom();
    Label label = table.constant(1, 1);
    if (above) {
      const llvm::BasicBlock& from = *above->getBlock();
      label = reached_.at(&from);
      for (const llvm::BasicBlock* next : llvm::successors(&from))
        if (dominators_.dominates(llvm::BasicBlockEdge(&from, next), *at)) {
          label = table.make(Op::And, 1, label, taken(from, *next));
          label = table.make(Op::And, 1, label, first_taken(from, *next));
          break;
        }
    }
    reached_[*at] = label;
  }
  return reached_[&block];
}

// If only the head of a loop can leave it, control in the body took the way into the loop in the
// first iteration. So the inner loop of `for (dy = -r; dy <= r; ++dy) for (dx = -r; dx <= r; ++dx)`
// iterates, too.
Label Statics::first_taken(const llvm::BasicBlock& from, const llvm::BasicBlock& next) {
  const Label always = table.constant(1, 1);
  const llvm::Loop* const loop = loops_.getLoopFor(&from);
  const llvm::BasicBlock* const before = loop ? loop->getLoopPredecessor() : nullptr;
  if (!before || loop->getHeader() != &from || !loop->contains(&next))
    return always;
  for (const llvm::BasicBlock* other : llvm::successors(&from))
    if (other != &next && loop->contains(other))
      return always;
  const Label condition = taken(from, next);
  std::map<Label, Label> begin;
  for (const Label part : parts_of(table, std::vector<Label>{condition})) {
    const auto made = made_by_.find(part);
    if (made == made_by_.end() || !loop->contains(made->second))
      continue;
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(made->second);
    const Label value =
        phi && phi->getParent() == &from ? operand(phi->getIncomingValueForBlock(before)) : 0;
    if (!value)
      return always;
    begin[part] = value;
  }
  const Label first = replaced(table, condition, begin);
  return first ? first : always;
}

std::vector<const llvm::PHINode*> Statics::loop_variables() const {
  std::vector<const llvm::PHINode*> found;
  for (const llvm::BasicBlock& block : item_)
    if (loops_.isLoopHeader(&block))
      for (const llvm::PHINode& phi : block.phis())
        if (phi.getType()->isIntegerTy() && width_of(*phi.getType()) >= 8 && value(&phi))
          found.push_back(&phi);
  return found;
}

std::map<Label, Label> Statics::first_iteration() {
  std::map<Label, Label> by;
  for (const llvm::PHINode* phi : loop_variables())
    if (const llvm::BasicBlock* before = loops_.getLoopFor(phi->getParent())->getLoopPredecessor())
      if (const Label first = operand(phi->getIncomingValueForBlock(before)))
        by[value(phi)] = first;
  // Variables of inner loops may begin with those of outer ones.
  for (std::size_t depth = 0; depth < by.size(); ++depth) {
    std::map<Label, Label> next;
    for (const auto& [variable, first] : by)
      next[variable] = replaced(table, first, by);
    if (std::exchange(by, next) == next)
      break;
  }
  return by;
}

bool Statics::outside(const llvm::Value& value, const llvm::PHINode& variable) const {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return !instruction || (!loops_.getLoopFor(variable.getParent())->contains(instruction) &&
                          dominators_.dominates(instruction, &variable));
}

bool Statics::is_back(const llvm::BasicBlock& from, const llvm::BasicBlock& head) const {
  return dominators_.dominates(&head, &from);
}

void Statics::keep_always(const llvm::PHINode& variable, Label holds) {
  Label& all = always_.try_emplace(&variable, table.constant(1, 1)).first->second;
  all = table.make(Op::And, 1, all, holds);
  phi_facts_.clear();
}

void Statics::forget_always() {
  always_.clear();
  phi_facts_.clear();
}

void Statics::use_always(bool used) {
  if (std::exchange(uses_always_, used) != used)
    phi_facts_.clear();
}

// The value depends on where control came from. For a loop's variables, only invariants are known.
Label Statics::phi_fact(const llvm::PHINode& phi) {
  if (const auto known = phi_facts_.find(&phi); known != phi_facts_.end())
    return known->second;
  const auto always = always_.find(&phi);
  Label& fact = phi_facts_[&phi];
  fact = always == always_.end() || !uses_always_ ? table.constant(1, 1) : always->second;
  const llvm::BasicBlock& block = *phi.getParent();
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    if (dominators_.dominates(&block, phi.getIncomingBlock(i)) ||
        !loops_.getLoopFor(&block) != !loops_.getLoopFor(phi.getIncomingBlock(i)))
      return fact;
  Label any = table.constant(0, 1);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const llvm::BasicBlock& from = *phi.getIncomingBlock(i);
    const Label incoming = operand(phi.getIncomingValue(i));
    Label way = table.make(Op::And, 1, reached(from), taken(from, block));
    if (incoming)
      way = table.make(Op::And, 1, way, table.make(Op::Equal, 1, values_.at(&phi), incoming));
    // Other facts about the values on that way.
    const std::vector<Label> parts = parts_of(table, std::vector<Label>{way});
    for (const Label part : parts)
      if (const auto other = phis_.find(part); other != phis_.end() && other->second != &phi)
        way = table.make(Op::And, 1, way, phi_fact(*other->second));
    any = table.make(Op::Or, 1, any, way);
  }
  return phi_facts_[&phi] = any;
}

// Facts about a phi hold if its block was reached. That is so for phis in the expressions
// themselves. Phis that only occur in values of other phis may be on paths that were not taken;
// phi_fact() has the facts for each path.
std::vector<Label> Statics::facts(std::vector<Label> expressions, bool quick) {
  std::vector<Label> facts;
  for (const Label part : parts_of(table, expressions))
    if (const auto phi = phis_.find(part); phi != phis_.end())
      facts.push_back(phi_fact(*phi->second));
  expressions.insert(expressions.end(), facts.begin(), facts.end());
  std::set<Label> seen;
  for (bool more = true; more;) {
    more = false;
    for (const Label part : parts_of(table, expressions)) {
      if (!seen.insert(part).second)
        continue;
      for (const auto* const known : {&launch_facts_, &slow_facts_})
        if (const auto found = known->find(part);
            found != known->end() && !(quick && known == &slow_facts_)) {
          facts.insert(facts.end(), found->second.begin(), found->second.end());
          expressions.insert(expressions.end(), found->second.begin(), found->second.end());
          more = true;
        }
    }
  }
  return facts;
}

} // namespace gputest::testgen
