// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/machine.h"

#include "memory/model/begin.h"
#include "memory/model/memory_unit.h"
#include "memory/model/monitor.h"
#include "memory/model/scoreboard.h"
#include "model/interface.h"

#include <algorithm>
#include <fmt/format.h>
#include <queue>

namespace gputest::memory {
namespace {

constexpr Cycles kNever = ~Cycles{0};
constexpr std::uint32_t kNone = ~std::uint32_t{0};

struct WarpState {
  WarpReader reader;
  std::uint32_t number = 0; // in the trace
  std::uint32_t group = 0;  // in the machine's groups
  Cycles ready = 0;
  Cycles lost = 0;
  Cycles arrived = 0; // at a barrier or at the end
  bool at_barrier = false;
  Scoreboard loads{};
};

struct GroupState {
  std::size_t core = 0, slot = 0; // slot: of all that hold groups, for __local memory
  std::uint32_t live = 0, waiting = 0;
  std::vector<std::uint32_t> warps;
};

struct Scheduler {
  std::vector<std::uint32_t> warps; // in the order in which they came
  std::size_t current = 0;          // index in `warps`: the one that runs, or else the next in turn
  bool runs = false;                // whether `current` runs
  Cycles free = 0, next = kNever;   // next: when it must be examined
};

class Machine {
public:
  Machine(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings, Layout layout,
          Hierarchy hierarchy)
      : gpu_(gpu), trace_(trace), settings_(settings),
        memory_(gpu, trace, settings, std::move(layout), std::move(hierarchy)),
        chooser_(settings.choice, Guide(gpu, trace, memory_.layout(), memory_.hierarchy())),
        schedulers_(gpu.cores * gpu.schedulers), groups_on_(gpu.cores), warps_on_(gpu.cores),
        local_on_(gpu.cores), turns_(gpu.cores),
        slots_(gpu.cores, std::vector<bool>(gpu.groups_per_core)) {
    count_.references = counts_at_begin(trace);
  }

  RunCount run() {
    fill_cores();
    while (!queue_.empty()) {
      const auto [at, scheduler] = queue_.top();
      queue_.pop();
      if (schedulers_[scheduler].next != at)
        continue; // it has been examined since
      schedulers_[scheduler].next = kNever;
      step(scheduler, at);
    }
    if (!chooser_.ended())
      throw_other_launch();
    count_.choices_made = chooser_.choices();
    if (settings_.monitor) {
      arrivals_.clear();
      for (const WarpState& warp : warps_)
        arrivals_.push_back({.at = warp.arrived, .lost = warp.lost});
      count_.lost = lost_together(arrivals_);
    }
    for (const LevelCount& level : memory_.hierarchy().levels())
      count_.caches.push_back(level);
    count_.dram_requests = memory_.hierarchy().dram().requests();
    count_.dram_row_hits = memory_.hierarchy().dram().row_hits();
    return std::move(count_);
  }

  // The caches as they are when the launch has ended.
  Hierarchy take_hierarchy() { return memory_.take_hierarchy(); }

private:
  std::uint32_t warps_of(std::uint32_t group) const {
    return trace_.groups[group + 1] - trace_.groups[group];
  }

  // -- Groups ------------------------------------------------------------------------------------

  bool has_room(std::size_t core) const {
    return next_group_ < trace_.group_count() && groups_on_[core] < gpu_.groups_per_core &&
           warps_on_[core] + warps_of(next_group_) <= gpu_.warps_per_core &&
           (!gpu_.local_memory ||
            local_on_[core] + memory_.layout().local_size() <= gpu_.local_memory->size);
  }

  void fill_cores() {
    bool any = true;
    while (any) {
      any = false;
      for (std::size_t core = 0; core < gpu_.cores; ++core)
        if (has_room(core)) {
          place_group(core, {});
          any = true;
        }
    }
  }

  // `begin`: when the group begins, and how much of that time the groups before it lost.
  void place_group(std::size_t core, const Arrival& begin) {
    const Cycles at = begin.at;
    const std::uint32_t group = next_group_++;
    const auto slot =
        static_cast<std::size_t>(std::ranges::find(slots_[core], false) - slots_[core].begin());
    slots_[core][slot] = true;
    const auto index = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({.core = core,
                       .slot = core * gpu_.groups_per_core + slot,
                       .live = warps_of(group),
                       .warps = {}});
    ++groups_on_[core];
    warps_on_[core] += warps_of(group);
    local_on_[core] += memory_.layout().local_size();
    for (std::uint32_t warp = trace_.groups[group]; warp < trace_.groups[group + 1]; ++warp) {
      const auto state = static_cast<std::uint32_t>(warps_.size());
      warps_.push_back({.reader = WarpReader(trace_, trace_.warps[warp]),
                        .number = warp,
                        .group = index,
                        .ready = at,
                        .lost = begin.lost,
                        .arrived = at});
      groups_.back().warps.push_back(state);
      const std::size_t scheduler = core * gpu_.schedulers + turns_[core]++ % gpu_.schedulers;
      schedulers_[scheduler].warps.push_back(state);
      look_at(scheduler, at);
    }
  }

  // -- Schedulers --------------------------------------------------------------------------------

  void look_at(std::size_t index, Cycles at) {
    Scheduler& scheduler = schedulers_[index];
    at = std::max(at, scheduler.free);
    if (at >= scheduler.next)
      return;
    scheduler.next = at;
    queue_.emplace(at, static_cast<std::uint32_t>(index));
  }

  bool is_ready(std::uint32_t warp, Cycles at) const {
    return !warps_[warp].at_barrier && warps_[warp].ready <= at;
  }

  // Index in the scheduler's warps; none: kNone.
  std::uint32_t choose(Scheduler& scheduler, Cycles at) {
    const std::size_t count = scheduler.warps.size();
    if (scheduler.runs && is_ready(scheduler.warps[scheduler.current], at))
      return static_cast<std::uint32_t>(scheduler.current);
    const std::size_t first = scheduler.current + (scheduler.runs ? 1 : 0);
    ready_.clear(); // in turn
    for (std::size_t i = 0; i < count; ++i)
      if (const std::size_t next = (first + i) % count; is_ready(scheduler.warps[next], at))
        ready_.push_back(static_cast<std::uint32_t>(next));
    if (ready_.size() < 2)
      return ready_.empty() ? kNone : ready_.front();
    choosable_.clear();
    for (const std::uint32_t index : ready_)
      choosable_.push_back(choosable(scheduler, index));
    waiting_.clear();
    if (chooser_.looks_at_waiting())
      for (std::uint32_t i = 0; i < count; ++i)
        if (!is_ready(scheduler.warps[i], at))
          waiting_.push_back(choosable(scheduler, i));
    const std::size_t chosen = chooser_.choose(choosable_, waiting_, at);
    if (chosen == Chooser::kNone)
      throw_other_launch();
    if (settings_.choices)
      count_.choices.push_back(choosable_[chosen].number);
    return ready_[chosen];
  }

  ChoosableWarp choosable(const Scheduler& scheduler, std::uint32_t index) const {
    const std::uint32_t state = scheduler.warps[index];
    const WarpState& warp = warps_[state];
    const GroupState& group = groups_[warp.group];
    return {.number = warp.number,
            .arrival = index,
            .reader = &warp.reader,
            .where = {.warp = state, .core = group.core, .slot = group.slot}};
  }

  [[noreturn]] void throw_other_launch() const {
    throw model::FormatError(fmt::format(
        "error: the schedule is none of this launch of '{}' on '{}'", trace_.kernel, gpu_.name));
  }

  void step(std::size_t index, Cycles at) {
    Scheduler& scheduler = schedulers_[index];
    const std::uint32_t chosen = choose(scheduler, at);
    if (chosen == kNone) {
      Cycles next = kNever;
      for (const std::uint32_t warp : scheduler.warps)
        if (!warps_[warp].at_barrier)
          next = std::min(next, warps_[warp].ready);
      if (next != kNever)
        look_at(index, next);
      return;
    }
    scheduler.current = chosen;
    scheduler.runs = true;
    const std::uint32_t warp = scheduler.warps[chosen];
    WarpReader before = warps_[warp].reader;
    bool more = warps_[warp].reader.next(event_);
    for (; more && event_.kind == WarpEvent::Kind::Wait; more = warps_[warp].reader.next(event_)) {
      if (wait_for_load(warp, at)) {
        look_at(index, at);
        return;
      }
      before = warps_[warp].reader;
    }
    if (more && wait_for_room(warp, at)) {
      warps_[warp].reader = before; // the load comes later
      look_at(index, at);
      return;
    }
    if (!more) {
      end(scheduler, chosen, at);
      look_at(index, at);
      return;
    }
    switch (event_.kind) {
    case WarpEvent::Kind::Wait:
      break; // none is left
    case WarpEvent::Kind::Compute:
      count_.instructions += event_.count;
      scheduler.free = at + event_.count * gpu_.issue_cycles();
      warps_[warp].ready = scheduler.free;
      note(warp, WarpSpan::Kind::Runs, at, scheduler.free);
      break;
    case WarpEvent::Kind::Access:
      ++count_.instructions;
      scheduler.free = at + gpu_.issue_cycles();
      note(warp, WarpSpan::Kind::Runs, at, scheduler.free);
      access(warp, at);
      break;
    case WarpEvent::Kind::Barrier:
      ++count_.instructions;
      scheduler.free = at + gpu_.issue_cycles();
      note(warp, WarpSpan::Kind::Runs, at, scheduler.free);
      wait_at_barrier(warp, scheduler.free);
      break;
    }
    count_.cycles = std::max(count_.cycles, scheduler.free);
    look_at(index, scheduler.free);
  }

  void end(Scheduler& scheduler, std::uint32_t chosen, Cycles at) {
    const std::uint32_t warp = scheduler.warps[chosen];
    GroupState& group = groups_[warps_[warp].group];
    scheduler.warps.erase(scheduler.warps.begin() + chosen);
    // No warp runs, and the one after it is next in turn.
    scheduler.current = chosen;
    scheduler.runs = false;
    --group.live;
    warps_[warp].arrived = at;
    warps_[warp].loads = {};
    if (group.live == 0) {
      const std::size_t core = group.core;
      slots_[core][group.slot % gpu_.groups_per_core] = false;
      --groups_on_[core];
      warps_on_[core] -= group.warps.size();
      local_on_[core] -= memory_.layout().local_size();
      const Arrival begin{.at = at, .lost = lost_by(group)};
      while (has_room(core))
        place_group(core, begin);
    } else if (group.waiting == group.live) {
      release(group, at);
    }
  }

  void wait_at_barrier(std::uint32_t warp, Cycles at) {
    GroupState& group = groups_[warps_[warp].group];
    warps_[warp].at_barrier = true;
    warps_[warp].arrived = at;
    ++group.waiting;
    if (group.waiting == group.live)
      release(group, at);
  }

  // Cycles lost by the warps that wait at the barrier or, when all have ended, by all warps of the
  // group.
  Cycles lost_by(const GroupState& group) {
    arrivals_.clear();
    for (const std::uint32_t warp : group.warps)
      if (warps_[warp].at_barrier || group.live == 0)
        arrivals_.push_back({.at = warps_[warp].arrived, .lost = warps_[warp].lost});
    return lost_together(arrivals_);
  }

  void release(GroupState& group, Cycles at) {
    group.waiting = 0;
    const Cycles lost = settings_.monitor ? lost_by(group) : 0;
    for (const std::uint32_t warp : group.warps)
      if (warps_[warp].at_barrier) {
        warps_[warp].lost = lost;
        note(warp, WarpSpan::Kind::WaitsAtBarrier, warps_[warp].arrived, at);
        warps_[warp].at_barrier = false;
        warps_[warp].ready = at;
      }
    for (std::size_t i = 0; i < gpu_.schedulers; ++i)
      look_at(group.core * gpu_.schedulers + i, at);
  }

  void access(std::uint32_t index, Cycles at) {
    WarpState& warp = warps_[index];
    const GroupState& group = groups_[warp.group];
    const MemoryUnit::Done done = memory_.access(
        {.core = group.core, .slot = group.slot, .warp = warp.number}, at, event_, count_);
    const Cycles issued = at + gpu_.issue_cycles();
    count_.cycles = std::max(count_.cycles, done.ends);
    if (overlaps(trace_.references[event_.reference])) {
      warp.ready = issued;
      warp.loads.add(event_.reference, done);
      return;
    }
    charge(index, event_.reference, done, issued, done.lost);
    warp.ready = done.at;
    note(index, WarpSpan::Kind::WaitsForMemory, issued, warp.ready, event_.reference);
    count_.cycles = std::max(count_.cycles, warp.ready);
  }

  // Whether a warp goes on after such an access until it needs the value.
  bool overlaps(const Reference& reference) const {
    return gpu_.loads_in_flight > 1 &&
           (reference.kind == Reference::Kind::Read ||
            (reference.kind == Reference::Kind::Atomic && reference.waits));
  }

  // Returns false if the warp has the value that `event_` needs, or does not need it yet.
  bool wait_for_load(std::uint32_t index, Cycles at) {
    const MemoryUnit::Done* const done =
        warps_[index].loads.needed(event_.reference, event_.need, gpu_.unrolled);
    if (!done || done->at <= at)
      return false;
    wait_until(index, event_.reference, *done, at);
    return true;
  }

  // Returns false if `event_` is no load, or if the warp may have another one in flight.
  bool wait_for_room(std::uint32_t index, Cycles at) {
    if (event_.kind != WarpEvent::Kind::Access || !overlaps(trace_.references[event_.reference]))
      return false;
    const Scoreboard::Flight* const first =
        warps_[index].loads.in_the_way(at, gpu_.loads_in_flight);
    if (!first)
      return false;
    wait_until(index, first->reference, first->done, at);
    return true;
  }

  void wait_until(std::uint32_t index, std::uint32_t reference, const MemoryUnit::Done& done,
                  Cycles from) {
    WarpState& warp = warps_[index];
    charge(index, reference, done, from, std::min(done.lost, done.at - from));
    warp.ready = done.at;
    note(index, WarpSpan::Kind::WaitsForMemory, from, done.at, reference);
    count_.cycles = std::max(count_.cycles, warp.ready);
  }

  // Counts what a warp waits for a reference from `from` on.
  void charge(std::uint32_t index, std::uint32_t reference, const MemoryUnit::Done& done,
              Cycles from, Cycles lost) {
    WarpState& warp = warps_[index];
    ReferenceCount& count = count_.references[reference];
    count.waiting += done.at - from;
    if (done.interference && done.interference_ends > from)
      done.interference->waiting += done.interference_ends - from;
    if (lost == 0)
      return;
    warp.lost += lost;
    count.lost += lost;
    Loss& loss = count_.losses[{warp.number, reference}];
    (done.interference ? loss.evicted : loss.queued) += lost;
  }

  void note(std::uint32_t index, WarpSpan::Kind kind, Cycles begin, Cycles end,
            std::uint32_t reference = 0) {
    if (!settings_.spans || begin >= end)
      return;
    const WarpState& warp = warps_[index];
    if (last_span_.size() <= index)
      last_span_.resize(index + 1, kNone);
    if (const std::uint32_t last = last_span_[index]; last != kNone) {
      WarpSpan& span = count_.spans[last];
      if (span.kind == kind && span.end == begin && span.reference == reference) {
        span.end = end;
        return;
      }
    }
    last_span_[index] = static_cast<std::uint32_t>(count_.spans.size());
    count_.spans.push_back({.kind = kind,
                            .warp = warp.number,
                            .core = static_cast<std::uint32_t>(groups_[warp.group].core),
                            .reference = reference,
                            .begin = begin,
                            .end = end});
  }

  const Gpu& gpu_;
  const LaunchTrace& trace_;
  const RunSettings& settings_;
  MemoryUnit memory_;
  Chooser chooser_;
  std::vector<Arrival> arrivals_;
  std::vector<std::uint32_t> last_span_; // by warp: its index in count_.spans
  std::vector<std::uint32_t> ready_;     // of the scheduler that chooses: indices in its warps
  std::vector<ChoosableWarp> choosable_, waiting_;
  RunCount count_;

  std::uint32_t next_group_ = 0;
  std::vector<GroupState> groups_;
  std::vector<WarpState> warps_;
  std::vector<Scheduler> schedulers_; // core by core
  using Look = std::pair<Cycles, std::uint32_t>;
  std::priority_queue<Look, std::vector<Look>, std::greater<>> queue_;
  std::vector<std::size_t> groups_on_, warps_on_, local_on_, turns_;
  std::vector<std::vector<bool>> slots_;

  WarpEvent event_;
};

} // namespace

RunOfLaunch run_from(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings,
                     Layout layout, Hierarchy hierarchy) {
  check_groups(gpu, trace, layout);
  Machine machine(gpu, trace, settings, std::move(layout), std::move(hierarchy));
  return {machine.run(), machine.take_hierarchy()};
}

RunCount run(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings) {
  const Layout layout(trace, settings.changes, gpu.tile());
  return run_from(gpu, trace, settings, layout, hierarchy_at_begin(gpu, trace, settings, layout))
      .count;
}

} // namespace gputest::memory
