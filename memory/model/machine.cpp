#include "memory/model/machine.h"

#include "memory/model/guide.h"
#include "memory/model/monitor.h"
#include "model/interface.h"

#include <algorithm>
#include <array>
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
};

struct GroupState {
  std::size_t core = 0, slot = 0; // slot: of all that hold groups, for __local memory
  std::uint32_t live = 0, waiting = 0;
  std::vector<std::uint32_t> warps;
};

struct Scheduler {
  std::vector<std::uint32_t> warps; // in the order in which they came
  std::size_t current = 0;          // index in them
  Cycles free = 0, next = kNever;   // next: when it is to be looked at
};

// The most frequent distance between neighbouring work-items.
std::optional<std::int64_t> stride_of(std::span<const Place> places) {
  std::array<std::pair<std::int64_t, unsigned>, 4> seen{};
  std::size_t count = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].object != places[i - 1].object || places[i].lane != places[i - 1].lane + 1)
      continue;
    const auto stride = static_cast<std::int64_t>(places[i].offset - places[i - 1].offset);
    const auto same = std::find_if(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(count),
                                   [&](const auto& one) { return one.first == stride; });
    if (same != seen.begin() + static_cast<std::ptrdiff_t>(count))
      ++same->second;
    else if (count < seen.size())
      seen[count++] = {stride, 1};
  }
  if (count == 0)
    return std::nullopt;
  const auto best = std::max_element(
      seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(count),
      [](const auto& one, const auto& other) { return one.second < other.second; });
  return best->first;
}

class Machine {
public:
  Machine(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings)
      : gpu_(gpu), trace_(trace), settings_(settings), layout_(trace, settings.changes),
        hierarchy_(gpu, settings.alone), guide_(gpu, trace, layout_, hierarchy_), round_(gpu),
        random_(settings.choice.seed), schedulers_(gpu.cores * gpu.schedulers),
        local_ports_(gpu.cores), groups_on_(gpu.cores), warps_on_(gpu.cores), local_on_(gpu.cores),
        turns_(gpu.cores), slots_(gpu.cores, std::vector<bool>(gpu.groups_per_core)) {
    count_.references.resize(trace.references.size());
    if (settings.locked) {
      const CacheLevel& cache = gpu.caches.front();
      const std::uint64_t begin = layout_.begin_of(*settings.locked) / cache.line;
      const std::uint64_t bytes =
          std::min<std::uint64_t>(trace.objects[*settings.locked].size, cache.size / cache.ways);
      hierarchy_.lock(begin, begin + (bytes + cache.line - 1) / cache.line);
    }
  }

  RunCount run() {
    check();
    fill_cores();
    while (!queue_.empty()) {
      const auto [at, scheduler] = queue_.top();
      queue_.pop();
      if (schedulers_[scheduler].next != at)
        continue; // it has been looked at since
      schedulers_[scheduler].next = kNever;
      step(scheduler, at);
    }
    if (settings_.choice.kind == WarpChoice::Kind::Listed &&
        choices_made_ != settings_.choice.listed.size())
      throw_other_launch();
    if (settings_.monitor) {
      arrivals_.clear();
      for (const WarpState& warp : warps_)
        arrivals_.push_back({.at = warp.arrived, .lost = warp.lost});
      count_.lost = lost_together(arrivals_);
    }
    for (const LevelCount& level : hierarchy_.levels())
      count_.caches.push_back(level);
    count_.dram_requests = hierarchy_.dram().requests();
    count_.dram_row_hits = hierarchy_.dram().row_hits();
    return std::move(count_);
  }

private:
  std::uint32_t warps_of(std::uint32_t group) const {
    return trace_.groups[group + 1] - trace_.groups[group];
  }

  void check() const {
    if (gpu_.local_memory && layout_.local_size() > gpu_.local_memory->size)
      throw model::FormatError(
          fmt::format("error: a work-group of '{}' has {} bytes of __local memory, and a core of "
                      "'{}' has {}",
                      trace_.kernel, layout_.local_size(), gpu_.name, gpu_.local_memory->size));
    for (std::uint32_t group = 0; group < trace_.group_count(); ++group)
      if (warps_of(group) > gpu_.warps_per_core)
        throw model::FormatError(
            fmt::format("error: a work-group of '{}' has {} warps, and a core of '{}' holds {}",
                        trace_.kernel, warps_of(group), gpu_.name, gpu_.warps_per_core));
  }

  // -- Groups ------------------------------------------------------------------------------------

  bool has_room(std::size_t core) const {
    return next_group_ < trace_.group_count() && groups_on_[core] < gpu_.groups_per_core &&
           warps_on_[core] + warps_of(next_group_) <= gpu_.warps_per_core &&
           (!gpu_.local_memory ||
            local_on_[core] + layout_.local_size() <= gpu_.local_memory->size);
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

  // `begin`: when, and what of that was lost by those whose place it takes.
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
    local_on_[core] += layout_.local_size();
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
    if (scheduler.current < count && is_ready(scheduler.warps[scheduler.current], at))
      return static_cast<std::uint32_t>(scheduler.current);
    ready_.clear(); // in turn
    for (std::size_t i = 1; i <= count; ++i)
      if (const std::size_t next = (scheduler.current + i) % count;
          is_ready(scheduler.warps[next], at))
        ready_.push_back(static_cast<std::uint32_t>(next));
    if (ready_.size() < 2)
      return ready_.empty() ? kNone : ready_.front();
    const std::uint32_t chosen = choose_ready(scheduler, at);
    if (settings_.choices)
      count_.choices.push_back(warps_[scheduler.warps[chosen]].number);
    return chosen;
  }

  std::uint32_t choose_ready(const Scheduler& scheduler, Cycles at) {
    switch (settings_.choice.kind) {
    case WarpChoice::Kind::RoundRobin:
      return ready_.front();
    case WarpChoice::Kind::Oldest:
      return *std::ranges::min_element(ready_);
    case WarpChoice::Kind::Random:
      return ready_[draw() % ready_.size()];
    case WarpChoice::Kind::Guided:
      return most_harmful(scheduler, at);
    case WarpChoice::Kind::Listed:
      break;
    }
    if (choices_made_ == settings_.choice.listed.size())
      throw_other_launch();
    const std::uint32_t wanted = settings_.choice.listed[choices_made_++];
    const auto found = std::ranges::find_if(
        ready_, [&](std::uint32_t one) { return warps_[scheduler.warps[one]].number == wanted; });
    if (found == ready_.end())
      throw_other_launch();
    return *found;
  }

  Guide::Where where(std::uint32_t index) const {
    const WarpState& warp = warps_[index];
    return {.warp = index, .core = groups_[warp.group].core, .slot = groups_[warp.group].slot};
  }

  std::uint32_t most_harmful(const Scheduler& scheduler, Cycles at) {
    guide_.begin();
    for (const std::uint32_t warp : scheduler.warps)
      if (!is_ready(warp, at))
        guide_.add_waiting(warps_[warp].reader, where(warp));
    std::optional<Harm> most;
    std::vector<std::uint32_t> best;
    for (const std::uint32_t one : ready_) {
      const std::uint32_t warp = scheduler.warps[one];
      const Harm harm = guide_.harm(warps_[warp].reader, where(warp), at);
      if (!most || harm > *most) {
        most = harm;
        best.clear();
      }
      if (harm == *most)
        best.push_back(one);
    }
    return best[best.size() == 1 ? 0 : draw() % best.size()];
  }

  [[noreturn]] void throw_other_launch() const {
    throw model::FormatError(fmt::format(
        "error: the schedule is none of this launch of '{}' on '{}'", trace_.kernel, gpu_.name));
  }

  // SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  std::uint64_t draw() {
    std::uint64_t value = random_ += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
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
    const std::uint32_t warp = scheduler.warps[chosen];
    if (!warps_[warp].reader.next(event_)) {
      end(scheduler, chosen, at);
      look_at(index, at);
      return;
    }
    switch (event_.kind) {
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
    // The next in turn is the one after it.
    scheduler.current = scheduler.warps.empty()
                            ? 0
                            : (chosen + scheduler.warps.size() - 1) % scheduler.warps.size();
    --group.live;
    warps_[warp].arrived = at;
    if (group.live == 0) {
      const std::size_t core = group.core;
      slots_[core][group.slot % gpu_.groups_per_core] = false;
      --groups_on_[core];
      warps_on_[core] -= group.warps.size();
      local_on_[core] -= layout_.local_size();
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

  // By the warps that wait at the barrier; when all have ended, by all of the group.
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

  // -- Memory ------------------------------------------------------------------------------------

  void access(std::uint32_t index, Cycles at) {
    WarpState& warp = warps_[index];
    const GroupState& group = groups_[warp.group];
    const Reference& reference = trace_.references[event_.reference];
    ReferenceCount& count = count_.references[event_.reference];
    ++count.executions;
    count.work_items += event_.places.size();
    if (settings_.strides)
      if (const auto stride = stride_of(event_.places);
          stride && (count.strides.size() < 64 || count.strides.contains(*stride)))
        ++count.strides[*stride];
    const Cycles issued = at + gpu_.issue_cycles();
    const bool on_chip = gpu_.local_memory && trace_.objects[event_.places.front().object].local;
    const Cycles done = on_chip ? access_local(group.core, at, reference, count)
                                : access_global(index, group, at, reference, count);
    warp.ready = std::max(issued, done);
    note(index, WarpSpan::Kind::WaitsForMemory, issued, warp.ready, event_.reference);
    count.waiting += warp.ready - issued;
    count_.cycles = std::max(count_.cycles, warp.ready);
  }

  Cycles access_local(std::size_t core, Cycles at, const Reference& reference,
                      ReferenceCount& count) {
    lanes_.clear();
    for (const Place& place : event_.places)
      lanes_.push_back(
          {.address = layout_.local_address(place), .size = place.size, .lane = place.lane});
    const Transactions passes = bank_passes(lanes_, *gpu_.local_memory, gpu_.warp_size,
                                            reference.kind == Reference::Kind::Atomic);
    count.transactions += passes.made;
    count.fewest += passes.fewest;
    const Cycles enters = std::max(at, local_ports_[core]);
    local_ports_[core] = enters + passes.made;
    const bool waits = reference.kind == Reference::Kind::Read ||
                       (reference.kind == Reference::Kind::Atomic && reference.waits);
    return enters + passes.made - 1 + (waits ? gpu_.local_memory->cycles : 1);
  }

  // Work-items that update the same place do so one after the other.
  unsigned most_at_one_place() const {
    unsigned most = 1, same = 1;
    for (std::size_t i = 1; i < lanes_.size(); ++i) { // by address, since coalesce()
      same = lanes_[i].address == lanes_[i - 1].address ? same + 1 : 1;
      most = std::max(most, same);
    }
    return most;
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

  // Equation 9: what was surely in the cache should have come at once, all else after a round.
  void monitor(WarpState& warp, Cycles taken, bool evicted, ReferenceCount& count) {
    const std::size_t at = warp.number * trace_.references.size() + event_.reference;
    const bool sure = at < settings_.sure_hits.size() && settings_.sure_hits[at];
    const Cycles fair = sure ? round_.hit(requests_) : round_.miss(requests_);
    if (taken <= fair)
      return;
    const Cycles lost = taken - fair;
    warp.lost += lost;
    count.lost += lost;
    Loss& loss = count_.losses[{warp.number, event_.reference}];
    (evicted ? loss.evicted : loss.queued) += lost;
  }

  Cycles access_global(std::uint32_t index, const GroupState& group, Cycles at,
                       const Reference& reference, ReferenceCount& count) {
    WarpState& warp = warps_[index];
    lanes_.clear();
    for (const Place& place : event_.places)
      lanes_.push_back(
          {.address = layout_.address(place, group.slot), .size = place.size, .lane = place.lane});
    const Transactions transactions = coalesce(lanes_, gpu_.caches.front(), requests_);
    count.transactions += transactions.made;
    count.fewest += transactions.fewest;
    const Requester who{.core = group.core, .warp = warp.number, .reference = event_.reference};
    const Operation operation = reference.kind == Reference::Kind::Read    ? Operation::Read
                                : reference.kind == Reference::Kind::Write ? Operation::Write
                                                                           : Operation::Atomic;
    const unsigned turns = operation == Operation::Atomic ? most_at_one_place() : 1;
    Cycles done = at, last_done = 0;
    Interference* last = nullptr; // of the line that comes last of those that others evicted
    for (const LineRequest& request : requests_) {
      const Served served = hierarchy_.request(who, at, request, operation, turns);
      done = std::max(done, served.done);
      count.hits += served.hits;
      count.misses += served.misses;
      count.reloads += served.reloads;
      if (served.interference) {
        Interference& found = count_.interferences[{event_.reference, served.evictor}];
        ++found.lines;
        found.sets.insert(served.set);
        if (!last || served.done > last_done) {
          last = &found;
          last_done = served.done;
        }
      }
    }
    const Cycles issued = at + gpu_.issue_cycles();
    if (last && last_done > issued)
      last->waiting += last_done - issued;
    if (operation == Operation::Atomic && !reference.waits)
      return at;
    if (settings_.monitor)
      monitor(warp, done - at, last != nullptr, count);
    return done;
  }

  const Gpu& gpu_;
  const LaunchTrace& trace_;
  const RunSettings& settings_;
  const Layout layout_;
  Hierarchy hierarchy_;
  Guide guide_;
  Round round_;
  std::vector<Arrival> arrivals_;
  std::vector<std::uint32_t> last_span_; // by warp: its index in count_.spans
  std::uint64_t random_;
  std::vector<std::uint32_t> ready_; // of the scheduler that chooses: indices in its warps
  std::size_t choices_made_ = 0;     // of those that are listed
  RunCount count_;

  std::uint32_t next_group_ = 0;
  std::vector<GroupState> groups_;
  std::vector<WarpState> warps_;
  std::vector<Scheduler> schedulers_; // core by core
  using Look = std::pair<Cycles, std::uint32_t>;
  std::priority_queue<Look, std::vector<Look>, std::greater<>> queue_;
  std::vector<Cycles> local_ports_; // of cores
  std::vector<std::size_t> groups_on_, warps_on_, local_on_, turns_;
  std::vector<std::vector<bool>> slots_;

  WarpEvent event_;
  std::vector<LaneAccess> lanes_;
  std::vector<LineRequest> requests_;
};

} // namespace

WarpChoice::Kind choice_named(const std::string& name) {
  for (const WarpChoice::Kind kind : {WarpChoice::Kind::RoundRobin, WarpChoice::Kind::Oldest,
                                      WarpChoice::Kind::Random, WarpChoice::Kind::Guided})
    if (name == name_of(kind))
      return kind;
  throw model::FormatError(
      fmt::format("error: --schedule '{}' is none of round-robin, oldest, random, guided", name));
}

const char* name_of(WarpChoice::Kind kind) {
  switch (kind) {
  case WarpChoice::Kind::RoundRobin:
    return "round-robin";
  case WarpChoice::Kind::Oldest:
    return "oldest";
  case WarpChoice::Kind::Random:
    return "random";
  case WarpChoice::Kind::Guided:
    return "guided";
  case WarpChoice::Kind::Listed:
    return "listed";
  }
  return "";
}

RunCount run(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings) {
  return Machine(gpu, trace, settings).run();
}

} // namespace gputest::memory
