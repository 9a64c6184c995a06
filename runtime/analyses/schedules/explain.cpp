// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains a schedule's difference: the fewest groups or work-items whose order shows it.
#include "model/clock.h"
#include "runtime/analyses/schedules/search.h"
#include "runtime/variants/mutation_state.h"
#include "runtime/variants/shrink.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace gputest::runtime {
namespace {

using model::FindingKind;
using model::Order;
using model::Schedule;
using model::Strategy;

constexpr unsigned kShrinkQuestions = 300;
constexpr std::chrono::seconds kShrinkTime(10); // for each finding

// Returns the elements of `order` that must be out of their places for `shows` to hold. It holds
// for the whole order.
std::vector<std::uint32_t>
fewest_moved(const std::vector<std::uint32_t>& order,
             const std::function<bool(std::vector<std::uint32_t>)>& shows) {
  const std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + kShrinkTime;
  return shrink(
      moved(order),
      [&](const std::vector<std::uint32_t>& chosen) {
        return std::chrono::steady_clock::now() < end && shows(restricted(order, chosen));
      },
      kShrinkQuestions);
}

} // namespace

// "3, 1", in several dimensions "(3,0), (1,0)".
std::string ScheduleSearch::names(const std::vector<std::uint32_t>& ids,
                                  const std::array<std::uint64_t, 3>& of) const {
  const unsigned dimensions = runner_.sizes().dimensions;
  std::vector<std::string> texts;
  for (const std::uint32_t id : ids) {
    const std::array<std::uint64_t, 3> at{id % of[0], id / of[0] % of[1], id / of[0] / of[1]};
    texts.push_back(dimensions == 1   ? fmt::format("{}", id)
                    : dimensions == 2 ? fmt::format("({},{})", at[0], at[1])
                                      : fmt::format("({},{},{})", at[0], at[1], at[2]));
  }
  constexpr std::size_t kShown = 8;
  if (texts.size() > kShown) {
    const std::size_t more = texts.size() - kShown;
    texts.resize(kShown);
    return fmt::format("{} and {} more", fmt::join(texts, ", "), more);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// All groups in the order in which the schedule starts them.
std::vector<std::uint32_t> ScheduleSearch::group_order(const Schedule& schedule) const {
  std::vector<std::uint32_t> order;
  for (const auto& stage : model::stages(schedule))
    order.insert(order.end(), stage.begin(), stage.end());
  return order;
}

ScheduleSearch::Found ScheduleSearch::describe(FindingKind kind, const ScheduleRun& launched,
                                               const ScheduleRun& scheduled,
                                               const Schedule& schedule, std::string message) {
  Found found{.finding = {}, .schedule = schedule};
  found.finding.kind = kind;
  found.finding.message = std::move(message);
  found.finding.order = text_of(schedule);
  Difference differs = difference(launched, scheduled);
  found.finding.buffer = std::move(differs.buffer);
  found.finding.differing = differs.differing;
  found.finding.compared = differs.compared;
  found.finding.elements = std::move(differs.elements);
  return found;
}

bool ScheduleSearch::explain_groups(const Schedule& schedule, const ScheduleRun& serial,
                                    std::vector<Found>& found) {
  Schedule listed = plain(Strategy::Serial);
  const std::vector<std::uint32_t> order = group_order(schedule);
  const auto with = [&](std::vector<std::uint32_t> groups) {
    listed.groups = {.kind = Order::Kind::Listed, .listed = std::move(groups)};
    return differing(serial, listed);
  };
  if (!with(order))
    return false;
  const std::vector<std::uint32_t> fewest =
      fewest_moved(order, [&](std::vector<std::uint32_t> groups) {
        return with(std::move(groups)).has_value();
      });
  const std::optional<ScheduleRun> run = with(restricted(order, fewest));
  if (!run)
    return false; // shown once and never again
  found.push_back(
      describe(FindingKind::BetweenGroups, serial, *run, listed,
               fmt::format("work-groups depend on each other's order: run one at a time, with "
                           "groups {} in this order and all others as launched, they leave other "
                           "values than in ascending order",
                           names(fewest, runner_.sizes().groups()))));
  found.back().finding.groups = fewest;
  return true;
}

bool ScheduleSearch::explain_items(const Schedule& schedule, const ScheduleRun& serial,
                                   std::vector<Found>& found) {
  if (model::is_plain(schedule.items))
    return false;
  Schedule listed = plain(Strategy::Serial);
  const std::vector<std::uint32_t> order = model::permutation(
      schedule.items, static_cast<std::uint32_t>(runner_.sizes().items_of_group()));
  const auto with = [&](std::vector<std::uint32_t> items) {
    listed.items = {.kind = Order::Kind::Listed, .listed = std::move(items)};
    return differing(serial, listed);
  };
  if (!with(order))
    return false;
  const std::vector<std::uint32_t> fewest = fewest_moved(
      order, [&](std::vector<std::uint32_t> items) { return with(std::move(items)).has_value(); });
  const std::optional<ScheduleRun> run = with(restricted(order, fewest));
  if (!run)
    return false;
  const auto& local = runner_.sizes().local;
  found.push_back(describe(
      FindingKind::WithinGroups, serial, *run, listed,
      fmt::format("work-items of a group race: with the work-groups run one at a time in ascending "
                  "order, work-items {} of each group in this order and all others as launched "
                  "leave other values; is a barrier missing?",
                  names(fewest, {local[0], local[1], local[2]}))));
  found.back().finding.items = fewest;
  return true;
}

void ScheduleSearch::explain(const Schedule& schedule, const ScheduleRun& launched,
                             const ScheduleRun& scheduled, std::vector<Found>& found) {
  const Schedule ascending = plain(Strategy::Serial);
  const ScheduleRun serial = observe(ascending);
  if (const auto other = differing(serial, ascending)) {
    found.push_back(
        describe(FindingKind::WithinGroups, serial, *other, ascending,
                 "work-items of a group race: run one at a time in ascending order, the "
                 "work-groups leave other values each time; is a barrier missing?"));
    return;
  }
  bool items = explain_items(schedule, serial, found);
  bool groups = explain_groups(schedule, serial, found);
  if (!items && !groups) {
    Schedule both = plain(Strategy::Serial);
    both.groups = {.kind = Order::Kind::Listed, .listed = group_order(schedule)};
    both.items = schedule.items;
    if (const auto other = differing(serial, both)) {
      found.push_back(
          describe(FindingKind::BetweenGroups, serial, *other, both,
                   "work-groups depend on each other's order together with that of their "
                   "work-items: run one at a time, neither order makes a difference alone"));
      return;
    }
  }
  // The schedule that shows a difference first may permute only one of the orders, or may need two
  // groups at the same time. Chance decides which schedule that is, and must not decide what is
  // found.
  for (const Schedule& other : schedules()) {
    if (items && groups)
      break;
    if (other == schedule)
      continue;
    items = items || explain_items(other, serial, found);
    groups = groups || explain_groups(other, serial, found);
  }
  if (items || groups)
    return;
  found.push_back(describe(
      FindingKind::Overlapping, launched, scheduled, schedule,
      "work-groups that run at the same time disturb each other: run one at a time, in whatever "
      "order, they leave the same values; is an update not atomic?"));
}

void ScheduleSearch::add_loop(const ScheduleRun& run, model::ScheduleFinding& finding) const {
  if (run.waits_in == kUnnumberedLoop) {
    finding.place_file = run.waits_file;
    finding.line = run.waits_line;
    finding.column = run.waits_column;
    return;
  }
  if (run.waits_in == 0 || run.waits_in > sites_.loops.size())
    return;
  const model::Guard& loop = sites_.loops[run.waits_in - 1];
  finding.place_file = loop.file;
  finding.line = loop.line;
  finding.column = loop.column;
  finding.place_text = loop.text;
}

std::optional<ScheduleSearch::Found> ScheduleSearch::explain_wait(const Schedule& schedule,
                                                                  const ScheduleRun& run) {
  const auto finding = [&](const ScheduleRun& of, const Schedule& shown, std::string message) {
    Found found{.finding = {}, .schedule = shown};
    found.finding.kind = FindingKind::Waits;
    found.finding.order = text_of(shown);
    add_loop(of, found.finding);
    found.finding.message = std::move(message);
    return found;
  };
  const Schedule ascending = plain(Strategy::Serial);
  const ScheduleRun serial = observe(ascending, waiting_, true);
  if (serial.waits_in != 0)
    return finding(serial, ascending,
                   "a work-item waits for a work-group that comes later: run one at a time in "
                   "ascending order, the loop does not end");
  const std::uint32_t budget = std::min(waiting_, loop_budget(serial.iterations));
  Schedule listed = plain(Strategy::Serial);
  const std::vector<std::uint32_t> order = group_order(schedule);
  const auto with = [&](std::vector<std::uint32_t> groups) {
    listed.groups = {.kind = Order::Kind::Listed, .listed = std::move(groups)};
    return observe(listed, budget);
  };
  if (with(order).waits_in == 0) {
    if (observe(schedule, waiting_ * kWaitingPatience).waits_in == 0)
      return std::nullopt; // it was only slow
    return finding(run, schedule,
                   fmt::format("a loop did not end within {} iterations; run one at a time, the "
                               "work-groups end: do they wait for each other?",
                               waiting_ * kWaitingPatience));
  }
  const std::vector<std::uint32_t> fewest =
      fewest_moved(order, [&](std::vector<std::uint32_t> groups) {
        return with(std::move(groups)).waits_in != 0;
      });
  const ScheduleRun shortest = with(restricted(order, fewest));
  Found found = finding(
      shortest, listed,
      fmt::format(
          "a work-item waits for a work-group that has not run: OpenCL promises no order of "
          "work-groups, and with groups {} in this order, and all others as launched, the "
          "loop does not end",
          names(fewest, runner_.sizes().groups())));
  found.finding.groups = fewest;
  return found;
}

} // namespace gputest::runtime
