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
using model::Strategy;
using Clock = std::chrono::steady_clock;

// Before a launch is said to hang, though its groups end one at a time, it gets so many times more.
constexpr std::uint32_t kPatience = 32;
constexpr unsigned kShrinkQuestions = 300;
constexpr std::chrono::seconds kShrinkTime(10); // for each finding

bool is_plain(const Order& order) {
  return order.kind == Order::Kind::Launched;
}

// The elements of `order` that must be out of their places for `shows` to hold, which it does for
// the whole order.
std::vector<std::uint32_t>
fewest_moved(const std::vector<std::uint32_t>& order,
             const std::function<bool(std::vector<std::uint32_t>)>& shows) {
  const Clock::time_point end = Clock::now() + kShrinkTime;
  return shrink(
      moved(order),
      [&](const std::vector<std::uint32_t>& chosen) {
        return Clock::now() < end && shows(restricted(order, chosen));
      },
      kShrinkQuestions);
}

} // namespace

ScheduleSearch::ScheduleSearch(ScheduleRunner& runner, const model::ScheduleSites& sites,
                               std::string kernel, SearchSettings settings, std::uint32_t waiting,
                               Announce announce)
    : runner_(runner), sites_(sites), kernel_(std::move(kernel)), settings_(std::move(settings)),
      waiting_(waiting), announce_(std::move(announce)) {}

Schedule ScheduleSearch::plain(Strategy strategy) const {
  Schedule schedule{.kernel = kernel_, .test_case = runner_.test_case().name, .harness = ""};
  schedule.sizes = runner_.sizes();
  schedule.strategy = strategy;
  return schedule;
}

std::vector<Schedule> ScheduleSearch::schedules() const {
  const model::ScheduledKernel* kernel = sites_.find(kernel_);
  std::vector<Schedule> result = schedules_of(settings_, runner_.test_case().name, runner_.sizes(),
                                              !kernel || !kernel->sub_groups);
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
  for (std::size_t i = 0; i < runner_.outputs().size() && result.differing == 0; ++i) {
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

// ---- explaining ----

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
  if (is_plain(schedule.items))
    return false;
  Schedule listed = plain(Strategy::Serial);
  const std::vector<std::uint32_t> order =
      model::permutation(schedule.items, static_cast<std::uint32_t>(runner_.sizes().item_count()));
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
  // The schedule that shows a difference first need not permute both orders, or it took two groups
  // at the same time: which one shows it is chance, what is found must not be.
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
    if (observe(schedule, waiting_ * kPatience).waits_in == 0)
      return std::nullopt; // it was only slow
    return finding(run, schedule,
                   fmt::format("a loop did not end within {} iterations; run one at a time, the "
                               "work-groups end: do they wait for each other?",
                               waiting_ * kPatience));
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

// ---- searching ----

// What a schedule's runs show at once; differences are left in `found` to be explained there.
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

// What the launch as it is does that no launch may, whatever the order.
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
      launched = observe(own, waiting_ * kPatience);
  }
  for (const Schedule& schedule : all) {
    if (!result.found.empty())
      break;
    if (auto shown = look(schedule, launched, result.found))
      result.found.push_back(std::move(*shown));
  }
  if (!result.found.empty() && !(fault && launched.waits_in != 0)) {
    announce_(own);
    const auto invalid = check([&](const Launch& launch) {
      BoundCase other = runner_.test_case();
      other.launch = launch;
      const std::unique_ptr<ScheduleRunner> runner = runner_.like(std::move(other));
      return ScheduleSearch(*runner, sites_, kernel_, settings_, waiting_, announce_).differs();
    });
    if (invalid)
      result.found = {Found{*invalid, result.found.front().schedule}};
  }
  model::ScheduledCase& scheduled = result.scheduled;
  scheduled.name = own.test_case;
  scheduled.runs = runner_.runs();
  scheduled.seconds = seconds_since(start);
  scheduled.verdict = result.found.empty() ? within_tolerance_ ? "within tolerance" : "held"
                      : result.found.front().finding.kind == FindingKind::InvalidCase
                          ? "invalid case"
                      : fault ? "failed"
                              : "order dependent";
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
                             : !is_plain(schedule.items)               ? FindingKind::WithinGroups
                             : !is_plain(schedule.groups)              ? FindingKind::BetweenGroups
                                                                       : FindingKind::Overlapping;
    return describe(kind, launched, run, schedule, "outputs differ from those as launched");
  };
  for (unsigned i = 0; i < settings_.repeat && result.found.empty(); ++i)
    if (const ScheduleRun run = observe(schedule); run.waits_in != 0 || !same(launched, run))
      result.found.push_back(finding(run));
  result.scheduled.name = own.test_case;
  result.scheduled.schedules = 1;
  result.scheduled.runs = runner_.runs();
  result.scheduled.seconds = seconds_since(start);
  result.scheduled.verdict =
      result.found.empty() ? within_tolerance_ ? "within tolerance" : "held" : "order dependent";
  return result;
}

} // namespace gputest::runtime
