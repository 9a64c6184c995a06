// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/solve.h"

#include <algorithm>
#include <set>

namespace gputest::testgen {
namespace {

bool is_constraint(const TracedSite& site, bool addresses) {
  return site.kind == TracedSite::Kind::Branch || site.kind == TracedSite::Kind::Switch ||
         site.kind == TracedSite::Kind::Exchange ||
         (site.kind == TracedSite::Kind::Address && addresses);
}

// Returns whether the work-item reaches the later decision equally often, whichever way the earlier
// one goes.
bool is_passed_in_any_case(const TracedSite& later, const TracedSite& earlier) {
  return !earlier.in_loop && later.block.first < later.block.last &&
         later.block.first <= earlier.block.first && earlier.block.last <= later.block.last;
}

// Adds conditions that the sizes are possible for a launch, and that it still has the work-item.
void add_sizes(const Traced& traced, std::uint32_t item, Table& table, std::vector<Label>& prefix) {
  std::array<Label, 3> global{}, local{};
  bool any = false;
  for (std::size_t i = 0; i < traced.units.size(); ++i) {
    const Unit& unit = traced.units[i];
    if (unit.fixed)
      continue;
    if (unit.kind == Unit::Kind::GlobalSize)
      global[unit.offset] = table.input(i);
    if (unit.kind == Unit::Kind::LocalSize)
      local[unit.offset] = table.input(i);
    if (unit.kind == Unit::Kind::GlobalOffset)
      prefix.push_back(
          table.make(Op::ULessEqual, 1, table.input(i), table.constant(kMostOffset, 64)));
    any = any || unit.kind == Unit::Kind::GlobalSize || unit.kind == Unit::Kind::LocalSize;
  }
  if (!any)
    return;
  std::array<Label, 2> all{}; // work-items of the launch, of a group: of more than one dimension
  const model::Sizes& sizes = traced.launch.sizes;
  const std::array<std::uint64_t, 3> groups = sizes.groups();
  const std::uint64_t full = sizes.items_of_group();
  std::uint64_t group = item / full, within = item % full;
  for (unsigned i = 0; i < 3; ++i) {
    if (!global[i] && !local[i])
      continue;
    const std::uint64_t group_id = group % groups[i], id = within % sizes.local[i];
    group /= groups[i];
    within /= sizes.local[i];
    const Label g = global[i] ? global[i] : table.constant(sizes.global[i], 64);
    const Label l = local[i] ? local[i] : table.constant(sizes.local[i], 64);
    const auto at_most = [&](Label a, Label b) {
      prefix.push_back(table.make(Op::ULessEqual, 1, a, b));
    };
    const auto number = [&](std::uint64_t value) { return table.constant(value, 64); };
    at_most(number(id + 1), l);
    at_most(l, number(kMostItemsOfGroup));
    at_most(g, number(kMostItems));
    at_most(l, g);
    const Label last =
        table.make(Op::Add, 64, table.make(Op::Mul, 64, l, number(group_id)), number(id + 1));
    at_most(last, g);
    prefix.push_back(table.make(Op::Equal, 1, table.make(Op::URem, 64, g, l), number(0)));
    const bool several = all[0] != 0;
    for (const auto& [product, size] : {std::pair{&all[0], g}, std::pair{&all[1], l}})
      *product = several ? table.make(Op::Mul, 64, *product, size) : size;
    if (several) {
      at_most(all[0], number(kMostItems));
      at_most(all[1], number(kMostItemsOfGroup));
    }
  }
}

} // namespace

Conditions conditions_of(const Traced& traced, const Wanted& wanted) {
  Conditions conditions{.table = traced.table, .prefix = {}, .wanted = 0};
  Table& table = conditions.table;
  const Event& target = traced.events.at(wanted.event);
  const TracedSite& target_site = (*traced.sites)[target.site];
  std::set<Label> known;
  for (std::size_t i = 0; i < wanted.event; ++i) {
    const Event& event = traced.events[i];
    const TracedSite& site = (*traced.sites)[event.site];
    if ((wanted.prefix == Wanted::Prefix::WorkItem && event.item != target.item) ||
        !is_constraint(site, wanted.keep_addresses) ||
        (wanted.prefix == Wanted::Prefix::Deciding &&
         (event.item != target.item || is_passed_in_any_case(target_site, site))))
      continue;
    const Label label = is_way(table, site, event, way_of(site, event));
    if (label && table[label].op != Op::Constant && known.insert(label).second)
      conditions.prefix.push_back(label);
  }
  conditions.prefix.insert(conditions.prefix.end(), wanted.also.begin(), wanted.also.end());
  if (wanted.required)
    for (const Label label : wanted.required(traced, table))
      if (label && table[label].op != Op::Constant)
        conditions.prefix.push_back(label);
  add_sizes(traced, target.item, table, conditions.prefix);
  if (wanted.way)
    conditions.wanted = is_way(table, target_site, target, *wanted.way);
  else
    conditions.wanted =
        table.negation(is_way(table, target_site, target, way_of(target_site, target)));
  return conditions;
}

std::optional<std::size_t> same_event(const Traced& before, std::size_t event,
                                      const Traced& after) {
  const Event& target = before.events.at(event);
  const auto same = [&](const Event& other) {
    return other.site == target.site && other.item == target.item;
  };
  auto left = std::count_if(before.events.begin(),
                            before.events.begin() + static_cast<std::ptrdiff_t>(event), same);
  for (std::size_t i = 0; i < after.events.size(); ++i)
    if (same(after.events[i]) && left-- == 0)
      return i;
  return std::nullopt;
}

bool took(const Traced& before, const Wanted& wanted, const Traced& after) {
  const std::optional<std::size_t> there = same_event(before, wanted.event, after);
  if (!there)
    return false;
  const Event& old = before.events[wanted.event];
  const Event& now = after.events[*there];
  const TracedSite& site = (*after.sites)[now.site];
  if (site.kind == TracedSite::Kind::Address)
    return now.value != old.value;
  const std::size_t way = way_of(site, now);
  return wanted.way ? way == *wanted.way : way != way_of(site, old);
}

} // namespace gputest::testgen
