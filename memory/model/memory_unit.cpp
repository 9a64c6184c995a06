// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/memory_unit.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace gputest::memory {
namespace {

using AccessedPlace = gputest::memory::Place;

// Returns the distance between most neighbouring work-items; nullopt: at least half have others.
std::optional<std::int64_t> stride_of(std::span<const AccessedPlace> places) {
  std::array<std::pair<std::int64_t, unsigned>, 4> seen{};
  std::size_t count = 0, pairs = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].object != places[i - 1].object || places[i].lane != places[i - 1].lane + 1)
      continue;
    ++pairs;
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
  return std::size_t{2} * best->second >= pairs ? std::optional(best->first) : std::nullopt;
}

} // namespace

MemoryUnit::MemoryUnit(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings)
    : gpu_(gpu), trace_(trace), settings_(settings), layout_(trace, settings.changes),
      hierarchy_(gpu, settings.alone), round_(gpu), local_ports_(gpu.cores) {
  if (!settings.locked)
    return;
  const CacheLevel& cache = gpu.caches.front();
  const std::uint64_t begin = layout_.begin_of(*settings.locked) / cache.line;
  const std::uint64_t bytes =
      std::min<std::uint64_t>(trace.objects[*settings.locked].size, cache.size / cache.ways);
  hierarchy_.lock(begin, begin + (bytes + cache.line - 1) / cache.line);
}

MemoryUnit::Done MemoryUnit::access(const Place& place, Cycles at, const WarpEvent& event,
                                    RunCount& count) {
  ReferenceCount& reference = count.references[event.reference];
  ++reference.executions;
  reference.work_items += event.places.size();
  if (settings_.strides)
    if (const auto stride = stride_of(event.places);
        stride && (reference.strides.size() < 64 || reference.strides.contains(*stride)))
      ++reference.strides[*stride];
  const Cycles issued = at + gpu_.issue_cycles();
  const bool on_chip = gpu_.local_memory && trace_.objects[event.places.front().object].local;
  Done done = on_chip ? Done{.at = access_local(place, at, event, reference)}
                      : access_global(place, at, event, count);
  done.at = std::max(issued, done.at);
  return done;
}

Cycles MemoryUnit::access_local(const Place& place, Cycles at, const WarpEvent& event,
                                ReferenceCount& count) {
  const Reference& reference = trace_.references[event.reference];
  lanes_.clear();
  for (const AccessedPlace& one : event.places)
    lanes_.push_back({.address = layout_.local_address(one), .size = one.size, .lane = one.lane});
  const Transactions passes = bank_passes(lanes_, *gpu_.local_memory, gpu_.warp_size,
                                          reference.kind == Reference::Kind::Atomic);
  count.transactions += passes.made;
  count.fewest += passes.fewest;
  const Cycles enters = enter_banks(place.core, at, passes.made);
  const bool waits = reference.kind == Reference::Kind::Read ||
                     (reference.kind == Reference::Kind::Atomic && reference.waits);
  return enters + passes.made - 1 + (waits ? gpu_.local_memory->cycles : 1);
}

// Returns when the banks of local memory begin with so many passes.
Cycles MemoryUnit::enter_banks(std::size_t core, Cycles at, unsigned passes) {
  const Cycles enters = std::max(at, local_ports_[core]);
  local_ports_[core] = enters + passes;
  return enters;
}

// Returns the most work-items that update one place, because they do so one after the other.
unsigned MemoryUnit::most_at_one_place() const {
  unsigned most = 1, same = 1;
  for (std::size_t i = 1; i < lanes_.size(); ++i) { // by address, since coalesce()
    same = lanes_[i].address == lanes_[i - 1].address ? same + 1 : 1;
    most = std::max(most, same);
  }
  return most;
}

MemoryUnit::Done MemoryUnit::access_global(const Place& place, Cycles at, const WarpEvent& event,
                                           RunCount& all) {
  const Reference& reference = trace_.references[event.reference];
  ReferenceCount& count = all.references[event.reference];
  lanes_.clear();
  for (const AccessedPlace& one : event.places)
    lanes_.push_back(
        {.address = layout_.address(one, place.slot), .size = one.size, .lane = one.lane});
  const CacheLevel& nearest = gpu_.caches.front();
  const unsigned passes =
      nearest.local_banks ? bank_passes(lanes_, *gpu_.local_memory, gpu_.warp_size, false).made : 1;
  const Transactions transactions = coalesce(lanes_, nearest, requests_);
  count.transactions += transactions.made;
  count.fewest += transactions.fewest;
  const Requester who{.core = place.core, .warp = place.warp, .reference = event.reference};
  const Operation operation = reference.kind == Reference::Kind::Read    ? Operation::Read
                              : reference.kind == Reference::Kind::Write ? Operation::Write
                                                                         : Operation::Atomic;
  const unsigned turns = operation == Operation::Atomic ? most_at_one_place() : 1;
  const Cycles enters = nearest.local_banks ? enter_banks(place.core, at, passes) : at;
  Done result;
  Cycles done = at;
  if (passes > 1 && operation == Operation::Read)
    done = enters + passes - 1 + nearest.hit_cycles;
  for (const LineRequest& request : requests_) {
    const Served served = hierarchy_.request(who, enters, request, operation, turns);
    done = std::max(done, served.done);
    count.hits += served.hits;
    count.misses += served.misses;
    count.reloads += served.reloads;
    if (settings_.step != 0 && served.misses != 0)
      count_set(place, at, request.number, served, all);
    if (served.interference) {
      Interference& found = all.interferences[{event.reference, served.evictor}];
      ++found.lines;
      found.sets.insert(served.set);
      if (!result.interference || served.done > result.interference_ends) {
        result.interference = &found;
        result.interference_ends = served.done;
      }
    }
    result.ends = std::max(result.ends, served.ends);
  }
  const bool waits = operation != Operation::Atomic || reference.waits;
  result.at = waits ? done : at;
  result.lost = waits && settings_.monitor ? lost(place, done - at, passes, event) : 0;
  return result;
}

void MemoryUnit::count_set(const Place& place, Cycles at, std::uint64_t line, const Served& served,
                           RunCount& count) {
  count.sets.resize(gpu_.caches.front().sets());
  std::vector<SetCount>& steps = count.sets[hierarchy_.nearest(place.core).set_of(line)];
  const auto step = static_cast<std::size_t>(at / settings_.step);
  if (steps.size() <= step)
    steps.resize(step + 1);
  ++steps[step].misses;
  steps[step].evicted += served.interference;
}

// Equation 9: without other warps, sure hits take the time of a hit, and all else a round to DRAM.
Cycles MemoryUnit::lost(const Place& place, Cycles taken, unsigned passes, const WarpEvent& event) {
  const std::size_t at = place.warp * trace_.references.size() + event.reference;
  const bool sure = at < settings_.sure_hits.size() && settings_.sure_hits[at];
  const Cycles fair = (sure ? round_.hit(requests_) : round_.miss(requests_)) + passes - 1;
  return taken <= fair ? 0 : taken - fair;
}

} // namespace gputest::memory
