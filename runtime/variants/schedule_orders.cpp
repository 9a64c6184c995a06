// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/schedule_orders.h"

#include "model/stable_hash.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::Order;
using model::Schedule;
using model::Strategy;

Order random_order(std::uint64_t seed, const std::string& test_case, unsigned number,
                   std::string_view what) {
  return {.kind = Order::Kind::Random,
          .seed = model::seed_for(seed, test_case, fmt::format("{} {}", what, number))};
}

bool changes(const Schedule& schedule, bool many_groups) {
  const bool is_ordered =
      schedule.groups.kind != Order::Kind::Launched || schedule.items.kind != Order::Kind::Launched;
  return is_ordered || (schedule.strategy != Strategy::Permute && many_groups);
}

} // namespace

std::vector<Schedule> schedules_of(const SearchSettings& settings, const std::string& test_case,
                                   const model::Sizes& sizes, bool items) {
  const bool many_groups = sizes.group_count() > 1;
  const bool many_items = items && sizes.items_of_group() > 1;
  const bool all = settings.strategy == "all";
  std::vector<Schedule> result;
  const auto add = [&](Strategy strategy, Order groups, Order work_items, unsigned target = 0) {
    Schedule schedule{.kernel = "", .test_case = test_case, .harness = ""};
    schedule.sizes = sizes;
    schedule.strategy = strategy;
    schedule.target = target;
    if (many_groups)
      schedule.groups = groups;
    if (many_items)
      schedule.items = work_items;
    if (changes(schedule, many_groups))
      result.push_back(std::move(schedule));
  };
  const Order reverse{.kind = Order::Kind::Reverse};
  if (all || settings.strategy == "permute")
    for (unsigned i = 1; i <= settings.count; ++i)
      add(Strategy::Permute, random_order(settings.seed, test_case, i, "groups"),
          random_order(settings.seed, test_case, i, "items"));
  if (all || settings.strategy == "reverse") {
    add(Strategy::Permute, reverse, {});
    add(Strategy::Permute, {}, reverse);
  }
  if (all || settings.strategy == "first")
    for (unsigned target = 0; target < std::min<std::uint64_t>(10, sizes.group_count()); ++target)
      add(Strategy::First, {}, {}, target);
  if (all || settings.strategy == "serial")
    for (unsigned i = 1; i <= settings.count; ++i)
      add(Strategy::Serial,
          i == 1   ? Order{}
          : i == 2 ? reverse
                   : random_order(settings.seed, test_case, i, "groups"),
          {});
  return result;
}

} // namespace gputest::runtime
