// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/schedule_cause.h"

#include "runtime/variants/schedule_state.h"
#include "runtime/variants/shrink.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace gputest::program {
namespace {

using model::FindingKind;
using model::Order;
using model::Schedule;
using model::Strategy;

constexpr unsigned kAgain = 3;                // runs before a difference is said not to come back
constexpr unsigned kLaunchQuestions = 60;     // runs to find the launches
constexpr std::uint64_t kMostNarrowed = 4096; // launches that are narrowed down
constexpr unsigned kOrderQuestions = 60;      // runs to find the moves
constexpr std::chrono::seconds kPatienceTime(120); // for each of the two searches

// "3, 1 and 6 more".
template <typename List> std::string some_of(const List& numbers) {
  constexpr std::size_t kShown = 8;
  const std::size_t shown = std::min<std::size_t>(numbers.size(), kShown);
  std::string text = fmt::format(
      "{}", fmt::join(numbers.begin(),
                      std::next(numbers.begin(), static_cast<std::ptrdiff_t>(shown)), ", "));
  if (numbers.size() > shown)
    text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

Schedule serial_of(Schedule schedule, const Order& groups,
                   const std::optional<model::Sizes>& sizes) {
  schedule.strategy = Strategy::Serial;
  schedule.target = 0;
  schedule.groups = groups;
  schedule.items = {};
  if (groups.kind == Order::Kind::Listed)
    schedule.sizes = sizes.value();
  return schedule;
}

} // namespace

Schedule with_kernels(const Schedule& schedule, const std::set<std::string>& labels) {
  Schedule result = schedule;
  result.program.value().kernels.assign(labels.begin(), labels.end());
  result.kernel = fmt::format("{}", fmt::join(labels, ", "));
  return result;
}

bool CauseFinder::differs(const Schedule& schedule) {
  return program_.run(schedule).differs;
}

std::vector<std::set<std::string>> CauseFinder::kernels(const Schedule& schedule,
                                                        const Shown& shown,
                                                        const std::set<std::string>& open) {
  if (!shown.waits_in.empty() && open.contains(shown.waits_in))
    return {{shown.waits_in}};
  std::vector<Schedule> alone;
  for (const std::string& label : open)
    alone.push_back(with_kernels(schedule, {label}));
  std::vector<std::set<std::string>> found;
  const std::vector<std::string> labels(open.begin(), open.end());
  const std::vector<Shown> each = program_.run_all(alone, 1);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (each[i].differs)
      found.push_back({labels[i]});
  if (!found.empty())
    return found;
  const auto all = [&](const std::vector<std::uint32_t>& chosen) {
    std::set<std::string> some;
    for (const std::uint32_t i : chosen)
      some.insert(labels[i]);
    return some;
  };
  std::vector<std::uint32_t> numbers(labels.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  if (differs(with_kernels(schedule, open)))
    numbers = runtime::shrink(
        numbers,
        [&](const std::vector<std::uint32_t>& chosen) {
          return differs(with_kernels(schedule, all(chosen)));
        },
        kLaunchQuestions);
  return {all(numbers)};
}

Schedule CauseFinder::with_fewest_launches(const Schedule& schedule) {
  const std::vector<std::string>& labels = schedule.program.value().kernels;
  const std::uint64_t count =
      labels.size() == 1 ? program_.kernels().at(labels.front()).launches : 0;
  if (count < 2 || count > kMostNarrowed)
    return schedule;
  const auto until = Clock::now() + kPatienceTime;
  const auto with = [&](const std::vector<std::uint32_t>& launches) {
    Schedule some = schedule;
    some.program->launches = launches;
    return some;
  };
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 1);
  const std::vector<std::uint32_t> fewest = runtime::shrink(
      all,
      [&](const std::vector<std::uint32_t>& launches) {
        return Clock::now() < until && differs(with(launches));
      },
      kLaunchQuestions);
  return fewest.size() == all.size() ? schedule : with(fewest);
}

std::vector<std::uint32_t> CauseFinder::shrink_order(Schedule& schedule, Order& order,
                                                     const std::vector<std::uint32_t>& all) {
  const auto until = Clock::now() + kPatienceTime;
  schedule.sizes = sizes_.value();
  const auto with = [&](const std::vector<std::uint32_t>& chosen) {
    order = {.kind = Order::Kind::Listed, .listed = runtime::restricted(all, chosen)};
    return differs(schedule);
  };
  const Order whole = order;
  std::vector<std::uint32_t> fewest = runtime::shrink(
      runtime::moved(all),
      [&](const std::vector<std::uint32_t>& chosen) {
        return Clock::now() < until && with(chosen);
      },
      kOrderQuestions);
  if (with(fewest))
    return fewest;
  order = whole; // shown once and not again
  return {};
}

std::optional<model::ScheduleFinding> CauseFinder::describe(const Schedule& schedule,
                                                            const Shown& shown) {
  model::ScheduleFinding finding;
  finding.kind = !shown.waits_in.empty()      ? FindingKind::Waits
                 : shown.has_timed_out        ? FindingKind::Timeout
                 : shown.has_crashed          ? FindingKind::Crash
                 : !is_plain(schedule.items)  ? FindingKind::WithinGroups
                 : !is_plain(schedule.groups) ? FindingKind::BetweenGroups
                                              : FindingKind::Overlapping;
  finding.order = model::text_of(schedule);
  finding.place_file = shown.loop.file;
  finding.place_text = shown.loop.text;
  finding.line = shown.loop.line;
  finding.column = shown.loop.column;
  const model::ProgramLaunches& launches = schedule.program.value();
  if (!launches.kernels.empty())
    finding.message = (launches.kernels.size() == 1 ? "kernel " : "kernels ") + schedule.kernel;
  if (!launches.launches.empty()) {
    const std::map<std::string, ScheduledKernel> all = program_.kernels();
    const auto known = all.find(schedule.kernel);
    finding.message += fmt::format(
        ", launch{} {}{}", launches.launches.size() == 1 ? "" : "es", some_of(launches.launches),
        known == all.end() ? "" : fmt::format(" of {}", known->second.launches));
  }
  if (shown.sizes.size() == 1)
    finding.message += fmt::format(" ({})", model::text_of(shown.sizes.front()));
  if (!shown.text.empty() && (shown.waits_in.empty() || shown.is_noticed))
    finding.message += (finding.message.empty() ? "" : ": ") + shown.text;
  if (!shown.waits_in.empty() || shown.has_timed_out)
    return finding;
  ReadValues values = program_.compare(schedule, shown.pieces);
  if (values.is_within_tolerance && !shown.is_noticed)
    return std::nullopt;
  finding.buffer = values.buffer.starts_with(schedule.kernel + ": ")
                       ? values.buffer.substr(schedule.kernel.size() + 2)
                       : std::move(values.buffer);
  finding.differing = values.differing;
  finding.compared = values.compared;
  finding.elements = std::move(values.elements);
  return finding;
}

std::optional<Cause> CauseFinder::cause(FindingKind kind, const Schedule& schedule,
                                        std::string_view what) {
  for (unsigned i = 0; i < kAgain; ++i) {
    const Shown shown = program_.run(schedule);
    if (!shown.differs)
      continue;
    auto finding = describe(schedule, shown);
    if (!finding)
      return std::nullopt;
    if (!shown.has_timed_out && !shown.has_crashed && shown.waits_in.empty())
      finding->kind = kind;
    finding->message = fmt::format("{}; {}", finding->message, what);
    return Cause{*finding, schedule};
  }
  return std::nullopt;
}

std::optional<Order> CauseFinder::group_order(const Schedule& schedule) const {
  if (schedule.strategy != Strategy::First)
    return is_plain(schedule.groups) && schedule.strategy == Strategy::Permute
               ? std::nullopt
               : std::optional(schedule.groups);
  if (!sizes_)
    return std::nullopt;
  Schedule sized = schedule;
  sized.sizes = *sizes_;
  Order groups{.kind = Order::Kind::Listed, .listed = {}};
  for (const auto& stage : model::stages(sized))
    groups.listed.insert(groups.listed.end(), stage.begin(), stage.end());
  return groups;
}

std::optional<Cause> CauseFinder::explain_wait(const Schedule& schedule) {
  Schedule serial = serial_of(schedule, group_order(schedule).value_or(Order{}), sizes_);
  Shown waits = program_.run(serial);
  std::string what =
      "a work-item waits for what a work-group does that has not run: OpenCL promises "
      "no order of work-groups";
  if (waits.waits_in.empty()) {
    waits = program_.run(schedule, runtime::kWaitingPatience);
    serial = schedule;
    what = "the loop does not end while work-groups run at the same time, and ends when they run "
           "one at a time: do they wait for each other?";
  }
  if (waits.waits_in.empty())
    return std::nullopt; // it was only slow
  model::ScheduleFinding finding = describe(serial, waits).value();
  finding.message += "; " + what;
  return Cause{std::move(finding), serial};
}

std::optional<Cause> CauseFinder::explain_items(const Schedule& schedule) {
  if (is_plain(schedule.items))
    return std::nullopt;
  Schedule items = schedule;
  items.strategy = Strategy::Permute;
  items.groups = {};
  if (!differs(items))
    return std::nullopt;
  std::vector<std::uint32_t> fewest;
  if (sizes_)
    fewest = shrink_order(
        items, items.items,
        model::permutation(items.items, static_cast<std::uint32_t>(sizes_->items_of_group())));
  auto found =
      cause(FindingKind::WithinGroups, items,
            fewest.empty() ? std::string("work-items of a group race: is a barrier missing?")
                           : fmt::format("work-items of a group race: with work-items {} of each "
                                         "group in this order and all others as launched; is a "
                                         "barrier missing?",
                                         some_of(fewest)));
  if (found)
    found->finding.items = fewest;
  return found;
}

std::optional<Cause> CauseFinder::explain_groups(const Schedule& schedule) {
  const auto groups = group_order(schedule);
  if (!groups)
    return std::nullopt;
  const Schedule serial = serial_of(schedule, *groups, sizes_);
  const Shown ordered = program_.run(serial);
  const Shown ascending = program_.run(serial_of(schedule, {}, sizes_));
  const bool is_order =
      ordered.differs && (!ascending.differs || ordered.reads != ascending.reads ||
                          ordered.is_noticed != ascending.is_noticed);
  Schedule shown = schedule; // the schedule that shows it
  shown.items = {};
  if (is_order)
    shown = serial;
  else if (!differs(shown))
    return std::nullopt;
  std::vector<std::uint32_t> fewest;
  const bool can_shrink = is_order ? !ascending.differs : shown.strategy == Strategy::Permute;
  if (sizes_ && can_shrink && !is_plain(shown.groups))
    fewest = shrink_order(
        shown, shown.groups,
        model::permutation(shown.groups, static_cast<std::uint32_t>(sizes_->group_count())));
  const std::string moved =
      fewest.empty() ? ""
                     : fmt::format(" with groups {} in this order and all others as launched",
                                   some_of(fewest));
  auto found =
      is_order
          ? cause(
                FindingKind::BetweenGroups, shown,
                fmt::format("work-groups depend on each other's order: run one at a time{}", moved))
          : cause(FindingKind::Overlapping, shown,
                  fmt::format("work-groups that run at the same time disturb each other{}: is an "
                              "update not atomic?",
                              moved));
  if (found)
    found->finding.groups = fewest;
  return found;
}

std::vector<Cause> CauseFinder::explain(const Schedule& schedule, const Shown* shown) {
  Shown first = shown ? *shown : program_.run(schedule);
  for (unsigned i = 1; i < kAgain && !first.differs; ++i)
    first = program_.run(schedule);
  if (first.differs && !describe(schedule, first))
    return {};
  const Schedule narrowed = first.differs ? with_fewest_launches(schedule) : schedule;
  Shown now = program_.run(narrowed);
  for (unsigned i = 1; i < kAgain && !now.differs; ++i)
    now = program_.run(narrowed);
  sizes_ = now.sizes.size() == 1 ? std::optional(now.sizes.front()) : std::nullopt;
  std::vector<Cause> causes;
  const auto add = [&](std::optional<Cause> found) {
    if (found)
      causes.push_back(std::move(*found));
  };
  if (!now.waits_in.empty())
    add(explain_wait(narrowed));
  else if (now.differs && !now.has_timed_out) {
    add(explain_items(narrowed));
    add(explain_groups(narrowed));
  }
  if (!causes.empty())
    return causes;
  const Shown& last = now.differs ? now : first;
  model::ScheduleFinding finding = describe(narrowed, last).value_or(model::ScheduleFinding{});
  if (!now.differs)
    finding.message += fmt::format("; it was seen under this schedule, and not again in {} runs: a "
                                   "race that shows now and then",
                                   kAgain);
  else if (finding.kind == FindingKind::WithinGroups || finding.kind == FindingKind::BetweenGroups)
    finding.message += "; neither the order of work-groups nor that of work-items shows it alone";
  return {Cause{finding, narrowed}};
}

} // namespace gputest::program
