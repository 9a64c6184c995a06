// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds between the sizes, groups and ids of a launch.
#include "templates/simulator/context.h"
#include "testgen/solve/statics.h"

#include <cstddef>
#include <fmt/format.h>

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
    const Label label = anything(64, name, true);
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
    const Label before =
        anything(64, fmt::format("(get_group_id({0}) * get_local_size({0}))", i), true);
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
    const Label items = anything(bits, fmt::format("({0}(0) * {0}(1) * {0}(2))", name), true);
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
  const Label linear = anything(64, "get_local_linear_id()", true);
  products_[sum] = linear;
  launch_facts_[linear] = {table.make(Op::ULess, 1, linear, items)};
  for (unsigned i = 0; i < 3; ++i)
    launch_facts_[linear].push_back(
        table.make(Op::ULessEqual, 1, values_[item_.getArg(2 + i)], linear));
  slow_facts_[linear] = {table.make(Op::Equal, 1, linear, sum)};
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

std::map<Label, Label> Statics::in_last_of(unsigned groups) {
  std::map<Label, Label> by;
  for (unsigned i = 0; i < 3; ++i) {
    const Label local = i == 0 ? context(kEnqueued) : table.constant(1, 64);
    const unsigned count = i == 0 ? groups : 1;
    for (const std::uint64_t word : {kEnqueued, kLocalSize})
      by[context(word + i)] = local;
    by[context(kGlobalSize + i)] =
        count == 1 ? local : table.make(Op::Mul, 64, local, table.constant(count, 64));
    by[context(kGroups + i)] = table.constant(count, 64);
    by[context(kGroupId + i)] = table.constant(count - 1, 64);
    if (i != 0)
      by[values_.at(item_.getArg(2 + i))] = table.constant(0, 64);
  }
  for (const auto* const known : {&first_items_, &products_})
    for (const auto& [product, variable] : *known)
      by[variable] = replaced(table, product, by);
  return by;
}

} // namespace gputest::testgen
