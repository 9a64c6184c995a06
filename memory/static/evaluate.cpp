// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/static/evaluate.h"

#include <algorithm>
#include <cstring>

namespace gputest::memory {
namespace {

constexpr unsigned kMostRounds = 2 * ValueSet::kMostFew; // of a recurrence
constexpr unsigned kMostNested = 4;                      // recurrences that depend on each other

} // namespace

Evaluator::Evaluator(const StaticKernel& kernel, std::vector<std::byte> arguments,
                     std::size_t contexts)
    : kernel_(kernel), arguments_(std::move(arguments)), known_(contexts + 1) {}

void Evaluator::begin_item(const std::array<std::uint64_t, LaunchWords>& launch,
                           const std::array<std::uint64_t, 3>& local_id) {
  ++item_;
  launch_ = launch;
  local_id_ = local_id;
}

ValueSet Evaluator::value(NodeId node, const LoopContext& context, std::size_t number) {
  context_ = &context;
  number_ = number;
  return evaluate(node);
}

bool Evaluator::exists(const LoopContext& context, std::size_t number) {
  context_ = &context;
  number_ = number;
  for (std::uint32_t loop = kernel_.blocks[context.block].loop; loop != kNoNumber;
       loop = kernel_.loops[loop].parent) {
    const std::optional<std::uint64_t> last = last_iteration(loop);
    if (last && (*last == kNever || ((context.later >> loop & 1) != 0 && *last == 0)))
      return false;
  }
  return true;
}

ValueSet Evaluator::evaluate(NodeId id) {
  const Node& node = kernel_.nodes[id];
  if (node.kind == Node::Kind::Constant)
    return ValueSet::one(node.value);
  if (const auto assumed = assumed_.find(id); assumed != assumed_.end())
    return assumed->second;
  if (node.loops != 0 && open_ != 0) { // it may depend on the assumptions
    if (const auto known = scratch_.find(id); known != scratch_.end())
      return known->second;
    ValueSet value = compute(node, id);
    scratch_.insert_or_assign(id, value);
    return value;
  }
  std::vector<Known>& table = node.loops == 0 ? known_.back() : known_[number_];
  if (table.empty())
    table.resize(kernel_.nodes.size());
  if (table[id].item != item_) {
    ValueSet value = compute(node, id);
    table[id] = {.item = item_, .value = std::move(value)};
  }
  return table[id].value;
}

ValueSet Evaluator::argument(const Node& node) const {
  const std::size_t size = (node.bits + 7) / 8;
  if (node.value + size > arguments_.size())
    return ValueSet::any();
  std::uint64_t word = 0;
  std::memcpy(&word, arguments_.data() + node.value, size);
  return ValueSet::one(masked(word, node.bits));
}

ValueSet Evaluator::compute(const Node& node, NodeId id) {
  using Kind = Node::Kind;
  const auto operand = [&](std::size_t i) { return evaluate(node.operands[i]); };
  const auto bits_of = [&](std::size_t i) { return kernel_.nodes[node.operands[i]].bits; };
  switch (node.kind) {
  case Kind::Constant:
    return ValueSet::one(node.value);
  case Kind::LocalId:
    return ValueSet::one(local_id_[node.value]);
  case Kind::Context:
    return ValueSet::one(launch_[node.value]);
  case Kind::Argument:
    return argument(node);
  case Kind::Unknown:
    return ValueSet::any();
  case Kind::Binary:
    return applied(node.what, operand(0), operand(1), bits_of(0));
  case Kind::Truncate:
    return truncated(operand(0), node.bits);
  case Kind::ZeroExtend:
  case Kind::SignExtend:
    return extended(operand(0), bits_of(0), node.kind == Kind::SignExtend, node.bits);
  case Kind::Select: {
    const ValueSet condition = operand(0);
    if (condition.is_one())
      return operand(condition.first() != 0 ? 1 : 2);
    return joined(operand(1), operand(2), node.bits);
  }
  case Kind::Union: {
    ValueSet value = operand(0);
    for (std::size_t i = 1; i < node.operands.size() && !value.is_any(); ++i)
      value = joined(value, operand(i), node.bits);
    return value;
  }
  case Kind::Iteration:
    return iterations(static_cast<std::uint32_t>(node.value));
  case Kind::Recurrence: {
    const std::uint64_t loop = std::uint64_t{1} << node.value;
    const bool told_apart = (context_->inside & loop) != 0 && (open_ & loop) == 0;
    if (told_apart && (context_->later & loop) == 0)
      return operand(0);
    ValueSet all = all_of_recurrence(node, id);
    if (told_apart && !all.is_any())
      return under(node, id, all);
    return all;
  }
  }
  return ValueSet::any();
}

ValueSet Evaluator::under(const Node& node, NodeId id, const ValueSet& assumed) {
  const std::uint64_t before = open_;
  std::unordered_map<NodeId, ValueSet> scratch;
  scratch.swap(scratch_);
  // The loops inside are in another round, too.
  for (std::uint32_t loop = 0; loop < kernel_.loops.size(); ++loop)
    for (std::uint32_t around = loop; around != kNoNumber; around = kernel_.loops[around].parent)
      if (around == node.value)
        open_ |= std::uint64_t{1} << loop;
  assumed_.insert_or_assign(id, assumed);
  ValueSet next = evaluate(node.operands[1]);
  assumed_.erase(id);
  open_ = before;
  scratch.swap(scratch_);
  return next;
}

ValueSet Evaluator::all_of_recurrence(const Node& node, NodeId id) {
  if (depth_ == kMostNested)
    return ValueSet::any();
  ++depth_;
  ValueSet all = evaluate(node.operands[0]);
  for (unsigned round = 0; !all.is_any(); ++round) {
    const auto values = all.listed(node.bits);
    if (round == kMostRounds || !values) {
      all = ValueSet::any();
      break;
    }
    ValueSet next = joined(all, under(node, id, all), node.bits);
    const auto next_values = next.listed(node.bits); // one set can have several forms
    const bool same = next_values && *values == *next_values;
    all = std::move(next);
    if (same)
      break;
  }
  --depth_;
  return all;
}

std::optional<std::uint64_t> Evaluator::last_iteration(std::uint32_t loop) {
  std::optional<std::uint64_t> last;
  for (const IterationBound& bound : kernel_.blocks[context_->block].bounds) {
    if (bound.loop != loop)
      continue;
    auto most = evaluate(bound.iteration).largest(kernel_.nodes[bound.iteration].bits);
    if (!most)
      continue;
    if (!bound.before_exit) {
      if (*most == 0)
        return kNever;
      --*most;
    }
    last = last ? std::min(*last, *most) : *most;
  }
  return last;
}

ValueSet Evaluator::iterations(std::uint32_t loop) {
  const std::uint64_t bit = std::uint64_t{1} << loop;
  const bool told_apart = (context_->inside & bit) != 0 && (open_ & bit) == 0;
  if (told_apart && (context_->later & bit) == 0)
    return ValueSet::one(0);
  const std::optional<std::uint64_t> last = last_iteration(loop);
  if (!last)
    return ValueSet::any();
  if (*last == kNever)
    return ValueSet::one(0);
  if (told_apart)
    return *last == 0 ? ValueSet::one(1) : ValueSet::stepped(1, 1, *last - 1);
  return ValueSet::stepped(0, 1, *last);
}

} // namespace gputest::memory
