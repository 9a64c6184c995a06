// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/statics.h"

#include "templates/simulator/context.h"
#include "testgen/concolic/operations.h"
#include "testgen/solve/asked.h"
#include "testgen/solve/translated.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <set>
#include <utility>

namespace gputest::testgen {
namespace {

// The largest launch; the limits of devices are far below.
constexpr std::uint64_t kConsidered = std::uint64_t{1} << 40, kConsideredOfGroup = 1 << 16;

constexpr std::uint64_t word_of(std::size_t offset) {
  return offset / 8;
}
constexpr std::uint64_t kGlobalSize = word_of(offsetof(gputest_context, global_size)),
                        kEnqueued = word_of(offsetof(gputest_context, enqueued_local_size)),
                        kGroups = word_of(offsetof(gputest_context, num_groups)),
                        kOffset = word_of(offsetof(gputest_context, global_offset)),
                        kWorkDim = word_of(offsetof(gputest_context, work_dim)),
                        kGroupId = word_of(offsetof(gputest_context, group_id)),
                        kLocalSize = word_of(offsetof(gputest_context, local_size));

} // namespace

Statics::Statics(llvm::Function& item, const ir::KernelShape& shape)
    : item_(item), shape_(shape), dominators_(item), loops_(dominators_) {
  for (unsigned i = 0; i < 3; ++i)
    values_[item.getArg(2 + i)] = anything(64, fmt::format("get_local_id({})", i));
  facts_of_launch();
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item);
  for (llvm::BasicBlock* block : order)
    for (llvm::Instruction& instruction : *block) {
      if (instruction.getType()->isVoidTy() || instruction.getType()->isVectorTy() ||
          !width_of(*instruction.getType()))
        continue;
      Label label = translate(instruction);
      if (!label) {
        label = anything(width_of(*instruction.getType()),
                         instruction.hasName() ? instruction.getName().str() : "?");
        made_by_[label] = &instruction;
        if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
          if (const auto asked = asked_before(*load, item))
            launch_facts_[label] =
                facts_of_answer(table, asked->kind, label, operand(asked->value));
      }
      values_[&instruction] = label;
      if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
        phis_[label] = phi;
    }
}

Label Statics::anything(unsigned bits, const std::string& name) {
  units.push_back({.kind = Unit::Kind::Free, .size = static_cast<std::uint8_t>((bits + 7) / 8)});
  names.push_back(name);
  return table.add_input(bits);
}

Label Statics::argument(std::size_t parameter, std::uint64_t offset, unsigned bytes) {
  const ir::Parameter& of = shape_.parameters[parameter];
  Label& label = arguments_[{of.offset + offset, bytes}];
  if (!label) {
    label = anything(8 * bytes, of.size == bytes ? of.name : fmt::format("{}+{}", of.name, offset));
    units.back() = {.kind = Unit::Kind::Argument,
                    .size = static_cast<std::uint8_t>(bytes),
                    .argument = static_cast<std::uint32_t>(parameter),
                    .offset = offset};
  }
  return label;
}

Label Statics::size(Unit::Kind kind, unsigned dimension) {
  return context(dimension + (kind == Unit::Kind::GlobalSize  ? kGlobalSize
                              : kind == Unit::Kind::LocalSize ? kEnqueued
                                                              : kOffset));
}

Label Statics::context(std::uint64_t word) const {
  const auto known = context_.find(word);
  return known == context_.end() ? 0 : known->second;
}

Label Statics::first_item(Label product) const {
  const auto known = first_items_.find(product);
  return known == first_items_.end() ? 0 : known->second;
}

// Adds the relations between sizes, groups and ids (templates/simulator/context.h).
void Statics::facts_of_launch() {
  const auto number = [&](std::uint64_t value) { return table.constant(value, 64); };
  const auto at_most = [&](Label a, Label b) { return table.make(Op::ULessEqual, 1, a, b); };
  const auto variable = [&](std::uint64_t word, const std::string& name, Unit::Kind kind,
                            unsigned dimension) {
    const Label label = anything(64, name);
    if (kind != Unit::Kind::Free)
      units.back() = {.kind = kind, .size = 8, .offset = dimension};
    return context_[word] = label;
  };
  for (unsigned i = 0; i < 3; ++i) {
    const Label global =
        variable(kGlobalSize + i, fmt::format("get_global_size({})", i), Unit::Kind::GlobalSize, i);
    const Label local = variable(kEnqueued + i, fmt::format("get_enqueued_local_size({})", i),
                                 Unit::Kind::LocalSize, i);
    const Label groups =
        variable(kGroups + i, fmt::format("get_num_groups({})", i), Unit::Kind::Free, i);
    const Label offset =
        variable(kOffset + i, fmt::format("get_global_offset({})", i), Unit::Kind::GlobalOffset, i);
    const Label group =
        variable(kGroupId + i, fmt::format("get_group_id({})", i), Unit::Kind::Free, i);
    const Label here =
        variable(kLocalSize + i, fmt::format("get_local_size({})", i), Unit::Kind::Free, i);
    const Label id = values_[item_.getArg(2 + i)];
    launch_facts_[global] = {at_most(number(1), global), at_most(global, number(kConsidered))};
    launch_facts_[local] = {at_most(number(1), local), at_most(local, number(kConsideredOfGroup))};
    launch_facts_[offset] = {at_most(offset, number(kConsidered))};
    const Label product = table.make(Op::Mul, 64, group, local);
    const Label before = anything(64, fmt::format("(get_group_id({0}) * get_local_size({0}))", i));
    first_items_[product] = before;
    const Label rest = table.make(Op::Sub, 64, global, before);
    launch_facts_[groups] = {at_most(number(1), groups), table.make(Op::ULess, 1, group, groups)};
    slow_facts_[groups] = {table.make(
        Op::Equal, 1, groups,
        table.make(Op::UDiv, 64,
                   table.make(Op::Add, 64, global, table.make(Op::Sub, 64, local, number(1))),
                   local))};
    launch_facts_[group] = {at_most(group, number(kConsidered))};
    launch_facts_[before] = {table.make(Op::ULess, 1, before, global)};
    slow_facts_[before] = {table.make(Op::Equal, 1, before, product)};
    launch_facts_[here] = {at_most(number(1), here), at_most(here, local), at_most(here, rest)};
    slow_facts_[here] = {
        table.make(Op::Equal, 1, here,
                   table.make(Op::Select, 64, table.make(Op::ULess, 1, local, rest), local, rest))};
    launch_facts_[id] = {table.make(Op::ULess, 1, id, here), table.make(Op::ULess, 1, id, local),
                         table.make(Op::ULess, 1, table.make(Op::Add, 64, before, id), global)};
  }
  facts_of_items(kEnqueued, "get_enqueued_local_size");
  facts_of_items(kLocalSize, "get_local_size");
  const Label dimensions = variable(kWorkDim, "get_work_dim()", Unit::Kind::Free, 0);
  launch_facts_[dimensions] = {at_most(number(1), dimensions), at_most(dimensions, number(3))};
}

// The number of a group's work-items, in either width that kernels compute it in.
void Statics::facts_of_items(std::uint64_t sizes, const std::string& name) {
  for (const unsigned bits : {64U, 32U}) {
    const auto size = [&](unsigned i) {
      const Label whole = context(sizes + i);
      return bits == 64 ? whole : table.make(Op::Trunc, bits, whole);
    };
    const Label product =
        table.make(Op::Mul, bits, table.make(Op::Mul, bits, size(0), size(1)), size(2));
    const Label items = anything(bits, fmt::format("({0}(0) * {0}(1) * {0}(2))", name));
    products_[product] = items;
    launch_facts_[items] = {
        table.make(Op::ULessEqual, 1, table.constant(1, bits), items),
        table.make(Op::ULessEqual, 1, items, table.constant(kConsideredOfGroup, bits))};
    for (unsigned i = 0; i < 3; ++i)
      launch_facts_[items].push_back(table.make(Op::ULessEqual, 1, size(i), items));
    slow_facts_[items] = {table.make(Op::Equal, 1, items, product)};
    if (bits == 64 && sizes == kLocalSize)
      facts_of_linear_id(items);
  }
}

void Statics::facts_of_linear_id(Label items) {
  Label sum = values_[item_.getArg(4)];
  for (unsigned i = 2; i-- > 0;)
    sum = table.make(Op::Add, 64, table.make(Op::Mul, 64, sum, context(kLocalSize + i)),
                     values_[item_.getArg(2 + i)]);
  const Label linear = anything(64, "get_local_linear_id()");
  products_[sum] = linear;
  launch_facts_[linear] = {table.make(Op::ULess, 1, linear, items)};
  for (unsigned i = 0; i < 3; ++i)
    launch_facts_[linear].push_back(
        table.make(Op::ULessEqual, 1, values_[item_.getArg(2 + i)], linear));
  slow_facts_[linear] = {table.make(Op::Equal, 1, linear, sum)};
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

bool Statics::outside(const llvm::Value& value, const llvm::PHINode& variable) const {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return !instruction || (!loops_.getLoopFor(variable.getParent())->contains(instruction) &&
                          dominators_.dominates(instruction, &variable));
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

std::vector<Label> Statics::small_launch() {
  std::vector<Label> all;
  const Label most = table.constant(std::uint64_t{1} << 31, 64);
  for (unsigned i = 0; i < 3; ++i)
    all.push_back(table.make(
        Op::ULessEqual, 1,
        table.make(Op::Add, 64, size(Unit::Kind::GlobalSize, i), size(Unit::Kind::GlobalOffset, i)),
        most));
  return all;
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
