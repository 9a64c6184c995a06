// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/search.h"

#include "model/clock.h"
#include "runtime/cases/comparison.h"
#include "runtime/variants/mutation_state.h"
#include "runtime/variants/shrink.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace gputest::runtime {
namespace {

using model::FindingKind;
using model::Order;
using model::Schedule;
using model::ScheduleVerdict;
using model::Strategy;
using Clock = std::chrono::steady_clock;

} // namespace

ScheduleSearch::ScheduleSearch(ScheduleRunner& runner, const model::ScheduleSites& sites,
                               std::string kernel, SearchSettings settings, std::uint32_t waiting,
                               Announce announce)
    : runner_(runner), sites_(sites), kernel_(std::move(kernel)), settings_(std::move(settings)),
      waiting_(waiting), compared_(outputs_of(runner.test_case()).size()),
      announce_(std::move(announce)) {}

Schedule ScheduleSearch::plain(Strategy strategy) const {
  Schedule schedule{.kernel = kernel_, .test_case = runner_.test_case().name, .harness = ""};
  schedule.sizes = runner_.sizes();
  schedule.strategy = strategy;
  return schedule;
}

std::vector<Schedule> ScheduleSearch::schedules() const {
  const model::ScheduledKernel* kernel = sites_.find(kernel_);
  std::vector<Schedule> result = schedules_of(settings_, runner_.test_case().name, runner_.sizes(),
                                              !kernel || !kernel->keeps_items);
  for (Schedule& schedule : result)
    schedule.kernel = kernel_;
  return result;
}

ScheduleRun ScheduleSearch::observe(const Schedule& schedule) {
  return observe(schedule, waiting_);
}

ScheduleRun ScheduleSearch::observe(const Schedule& schedule, std::uint32_t budget, bool trace) {
  announce_(schedule);
  return runner_.run(schedule, budget, trace);
}

// ---- comparing ----

Difference ScheduleSearch::difference(const ScheduleRun& launched, const ScheduleRun& scheduled) {
  const BoundCase& bound = runner_.test_case();
  Difference result;
  for (std::size_t i = 0; i < compared_ && result.differing == 0; ++i) {
    if (launched.outputs[i] == scheduled.outputs[i])
      continue;
    const std::size_t position = runner_.outputs()[i];
    const Comparison comparison =
        compare(bound.types[position], launched.outputs[i], scheduled.outputs[i], bound.tolerance);
    if (comparison.equal()) {
      within_tolerance_ = true;
      continue;
    }
    result.buffer = bound.arguments[position].name;
    result.differing = comparison.differing;
    result.compared = comparison.compared;
    for (const Mismatch& mismatch : comparison.first)
      result.elements.push_back({.index = mismatch.index,
                                 .path = mismatch.path,
                                 .launched = mismatch.expected,
                                 .scheduled = mismatch.actual});
  }
  if (result.differing > 0 && also_right_ && also_right_(launched.outputs) &&
      also_right_(scheduled.outputs))
    return {};
  return result;
}

bool ScheduleSearch::same(const ScheduleRun& launched, const ScheduleRun& scheduled) {
  if (scheduled.waits_in != 0)
    return true; // ended early: its outputs say nothing
  return scheduled.fault.empty() && scheduled.overrun == launched.overrun &&
         difference(launched, scheduled).differing == 0;
}

std::optional<ScheduleRun> ScheduleSearch::differing(const ScheduleRun& launched,
                                                     const Schedule& schedule) {
  for (unsigned i = 0; i < settings_.repeat; ++i) {
    ScheduleRun run = observe(schedule);
    if (!same(launched, run))
      return run;
  }
  return std::nullopt;
}

// ---- searching ----

// Returns what a schedule's runs show at once. Differences are explained in `found`.
std::optional<ScheduleSearch::Found> ScheduleSearch::look(const Schedule& schedule,
                                                          const ScheduleRun& launched,
                                                          std::vector<Found>& found) {
  for (unsigned i = 0; i < settings_.repeat; ++i) {
    const ScheduleRun run = observe(schedule);
    if (run.waits_in != 0) {
      if (auto wait = explain_wait(schedule, run))
        return wait;
      continue; // its outputs are of no use
    }
    if (!run.fault.empty())
      return describe(FindingKind::Crash, launched, run, schedule, run.fault);
    if (run.overrun != launched.overrun)
      return describe(FindingKind::OutOfBounds, launched, run, schedule, run.overrun);
    if (difference(launched, run).differing == 0)
      continue;
    explain(schedule, launched, run, found);
    return std::nullopt;
  }
  return std::nullopt;
}

// Returns what the launch as it is does that no launch may, whatever the order.
std::optional<ScheduleSearch::Found> ScheduleSearch::own_fault(const Schedule& own,
                                                               const ScheduleRun& launched) {
  if (!launched.fault.empty())
    return describe(FindingKind::Crash, launched, launched, own, launched.fault + kAsLaunched);
  if (!launched.overrun.empty())
    return describe(FindingKind::OutOfBounds, launched, launched, own,
                    launched.overrun + kAsLaunched);
  if (launched.waits_in == 0)
    return std::nullopt;
  Schedule serial = plain(Strategy::Serial);
  if (observe(serial).waits_in == 0)
    return std::nullopt;
  serial.groups.kind = Order::Kind::Reverse;
  if (observe(serial).waits_in == 0)
    return std::nullopt;
  Found found = describe(
      FindingKind::Waits, launched, launched, own,
      fmt::format("a loop does not end within {} iterations, neither as launched nor with the "
                  "work-groups run one at a time in ascending or descending order: what it waits "
                  "for never comes, or work-groups wait for each other",
                  waiting_));
  add_loop(launched, found.finding);
  return found;
}

ScheduleSearch::Result ScheduleSearch::run(const CaseCheck& check) {
  const auto start = Clock::now();
  Result result;
  const Schedule own = plain(Strategy::Permute);
  std::vector<Schedule> all = schedules();
  if (settings_.parts > 1) {
    std::vector<Schedule> part;
    for (std::size_t i = settings_.part; i < all.size(); i += settings_.parts)
      part.push_back(std::move(all[i]));
    all = std::move(part);
  }
  result.scheduled.schedules = all.size();
  all.insert(all.begin(), own); // is the launch itself stable?
  ScheduleRun launched = observe(own);
  const std::optional<Found> fault = own_fault(own, launched);
  if (fault) {
    result.found.push_back(*fault);
    result.scheduled.schedules = 1;
  } else if (launched.waits_in != 0) {
    if (auto wait = explain_wait(own, launched))
      result.found.push_back(std::move(*wait));
    else
      launched = observe(own, waiting_ * kWaitingPatience);
  }
  for (const Schedule& schedule : all) {
    if (!result.found.empty())
      break;
    if (settings_.end && Clock::now() >= *settings_.end) {
      result.scheduled.not_run = static_cast<std::uint64_t>(&all.back() + 1 - &schedule);
      // The launch itself is the first of `all`, and does not count as an order.
      result.scheduled.not_run = std::min(result.scheduled.not_run, result.scheduled.schedules);
      result.scheduled.schedules -= result.scheduled.not_run;
      break;
    }
    if (auto shown = look(schedule, launched, result.found))
      result.found.push_back(std::move(*shown));
  }
  bool overruns = false; // as launched
  if (!result.found.empty() && !(fault && launched.waits_in != 0)) {
    announce_(own);
    const auto invalid = check([&](const Launch& launch) {
      BoundCase other = runner_.test_case();
      other.launch = launch;
      const std::unique_ptr<ScheduleRunner> runner = runner_.like(std::move(other));
      return ScheduleSearch(*runner, sites_, kernel_, settings_, waiting_, announce_).differs();
    });
    overruns = invalid && invalid->kind == FindingKind::OutOfBounds;
    if (invalid)
      result.found = {Found{*invalid, overruns ? own : result.found.front().schedule}};
  }
  model::ScheduledCase& scheduled = result.scheduled;
  scheduled.name = own.test_case;
  scheduled.runs = runner_.runs();
  scheduled.seconds = model::seconds_since(start);
  if (result.found.empty())
    scheduled.verdict = without_findings();
  else if (result.found.front().finding.kind == FindingKind::InvalidCase)
    scheduled.verdict = ScheduleVerdict::InvalidCase;
  else
    scheduled.verdict =
        fault || overruns ? ScheduleVerdict::Failed : ScheduleVerdict::OrderDependent;
  return result;
}

bool ScheduleSearch::differs() {
  const Schedule own = plain(Strategy::Permute);
  const ScheduleRun launched = observe(own);
  std::vector<Schedule> all = schedules();
  all.push_back(own);
  return std::ranges::any_of(
      all, [&](const Schedule& schedule) { return differing(launched, schedule).has_value(); });
}

ScheduleSearch::Result ScheduleSearch::replay(const Schedule& schedule) {
  const auto start = Clock::now();
  Result result;
  const Schedule own =
      plain(schedule.strategy == Strategy::First ? Strategy::Permute : schedule.strategy);
  const ScheduleRun launched = observe(own);
  const auto finding = [&](const ScheduleRun& run) {
    if (run.waits_in != 0) {
      Found found = describe(FindingKind::Waits, launched, run, schedule,
                             "a loop waits for what another work-item has not done");
      add_loop(run, found.finding);
      return found;
    }
    if (!run.fault.empty())
      return describe(FindingKind::Crash, launched, run, schedule, run.fault);
    if (run.overrun != launched.overrun)
      return describe(FindingKind::OutOfBounds, launched, run, schedule, run.overrun);
    const FindingKind kind = schedule.strategy == Strategy::Interleave ? FindingKind::Interleaving
                             : !model::is_plain(schedule.items)        ? FindingKind::WithinGroups
                             : !model::is_plain(schedule.groups)       ? FindingKind::BetweenGroups
                                                                       : FindingKind::Overlapping;
    return describe(kind, launched, run, schedule, "outputs differ from those as launched");
  };
  for (unsigned i = 0; i < settings_.repeat && result.found.empty(); ++i)
    if (const ScheduleRun run = observe(schedule); run.waits_in != 0 || !same(launched, run))
      result.found.push_back(finding(run));
  result.scheduled.name = own.test_case;
  result.scheduled.schedules = 1;
  result.scheduled.runs = runner_.runs();
  result.scheduled.seconds = model::seconds_since(start);
  result.scheduled.verdict =
      result.found.empty() ? without_findings() : ScheduleVerdict::OrderDependent;
  return result;
}

} // namespace gputest::runtime
