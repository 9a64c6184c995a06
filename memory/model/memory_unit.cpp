// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/memory_unit.h"

#include "model/interface.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <ranges>

namespace gputest::memory {
namespace {

using AccessedPlace = gputest::memory::Place;

std::size_t work_items_of(const WarpEvent& event) {
  std::size_t count = 0;
  std::optional<std::uint32_t> last;
  for (const AccessedPlace& place : event.places)
    if (last != place.lane) {
      ++count;
      last = place.lane;
    }
  return count;
}

// The sectors in which lines of a cache for textures come from the first shared cache, or else from
// DRAM.
std::size_t texture_sector(const Gpu& gpu, const SideCache& cache) {
  const auto shared = std::ranges::find_if(gpu.caches, &CacheLevel::shared);
  return std::min(cache.line, (shared == gpu.caches.end() ? gpu.caches.back() : *shared).sector);
}

// Returns the way of a line that a cache for textures does not have.
Round round_of_textures(const Gpu& gpu) {
  if (!gpu.texture || !gpu.texture->cache)
    return Round(gpu);
  const auto shared = std::ranges::find_if(gpu.caches, &CacheLevel::shared);
  CacheLevel own = shared == gpu.caches.end() ? gpu.caches.back() : *shared;
  own.bank_bytes = own.bank_bytes.value_or(own.line); // the next cache's banks
  own.line = gpu.texture->cache->line;
  own.sector = texture_sector(gpu, *gpu.texture->cache);
  own.hit_cycles = gpu.texture->hit_cycles;
  own.port_cycles = 0;
  std::vector<CacheLevel> caches{own};
  caches.insert(caches.end(), shared, gpu.caches.end());
  return Round(caches, gpu.dram);
}

} // namespace

MemoryUnit::MemoryUnit(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings,
                       Layout layout, Hierarchy hierarchy)
    : gpu_(gpu), trace_(trace), settings_(settings), layout_(std::move(layout)),
      hierarchy_(std::move(hierarchy)), round_(gpu), texture_round_(round_of_textures(gpu)),
      local_ports_(gpu.cores), constant_ports_(gpu.cores), texture_ports_(gpu.cores),
      tiles_(sectors_of_tile()) {
  if (settings.tiled && gpu.local_memory) {
    const LocalMemory& memory = *gpu.local_memory;
    tile_places_.emplace(trace, layout_, settings.tiled->object, gpu.caches.front().sector,
                         settings.tiled->padded
                             ? std::optional<std::uint64_t>(memory.banks * memory.bank_bytes)
                             : std::nullopt,
                         memory.bank_bytes);
  }
  for (const MemoryObject& object : trace.objects)
    if (object.image && !gpu.images)
      throw model::FormatError(fmt::format("error: '{}' of '{}' is an image, and '{}' has none",
                                           object.name, trace.kernel, gpu.name));
}

MemoryUnit::Done MemoryUnit::access(const Place& place, Cycles at, const WarpEvent& event,
                                    RunCount& count) {
  ReferenceCount& reference = count.references[event.reference];
  ++reference.executions;
  reference.work_items += work_items_of(event);
  if (settings_.strides)
    if (const auto stride = stride_of(place, event);
        stride && (reference.strides.size() < 64 || reference.strides.contains(*stride)))
      ++reference.strides[*stride];
  const Cycles issued = at + gpu_.issue_cycles();
  const std::uint32_t object = event.places.front().object;
  Done done;
  if (gpu_.local_memory && trace_.objects[object].local)
    done.at = access_local(place, at, event, reference);
  else if (gpu_.texture && trace_.objects[object].image &&
           trace_.references[event.reference].kind == Reference::Kind::Read)
    done = access_texture(place, at, event, count);
  else if (settings_.tiled && settings_.tiled->object == object &&
           trace_.references[event.reference].kind == Reference::Kind::Read)
    done = access_tiled(place, at, event, count);
  else if (!is_in_registers(event) &&
           (settings_.as_global == object || !access_constant(place, at, event, reference, done)))
    done = access_global(place, at, event, count);
  done.at = std::max(issued, done.at);
  return done;
}

// Returns the distance between most neighbouring work-items; nullopt: at least half have others.
// The distance between the same bytes of a private array is a word, as in the layout.
std::optional<std::int64_t> MemoryUnit::stride_of(const Place& place,
                                                  const WarpEvent& event) const {
  const std::span<const AccessedPlace> places = event.places;
  std::array<std::pair<std::int64_t, unsigned>, 4> seen{};
  std::size_t count = 0, pairs = 0;
  for (std::size_t i = 1, first = 0; i < places.size(); ++i) { // first: place of a work-item
    if (places[i].lane == places[first].lane)
      continue;
    const AccessedPlace &one = places[i], &other = places[std::exchange(first, i)];
    if (one.object != other.object || one.lane != other.lane + 1)
      continue;
    ++pairs;
    const std::uint64_t distance =
        trace_.objects[one.object].own
            ? layout_.address(one, place.slot) - layout_.address(other, place.slot)
            : one.offset - other.offset;
    const auto stride = static_cast<std::int64_t>(distance);
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

// Whether all that it accesses is the array that RunSettings::in_registers names.
bool MemoryUnit::is_in_registers(const WarpEvent& event) const {
  return settings_.in_registers && std::ranges::all_of(event.places, [&](const AccessedPlace& one) {
           return one.object == *settings_.in_registers;
         });
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

// A warp gets one address after the other, and of each one line after the other.
bool MemoryUnit::access_constant(const Place& place, Cycles at, const WarpEvent& event,
                                 ReferenceCount& count, Done& done) {
  const Reference& reference = trace_.references[event.reference];
  if (!gpu_.constant_cache || reference.kind != Reference::Kind::Read ||
      !(reference.constant || trace_.objects[event.places.front().object].constant))
    return false;
  add_lanes(place, event);
  std::ranges::sort(lanes_, [](const LaneAccess& one, const LaneAccess& other) {
    return one.address != other.address ? one.address < other.address : one.size > other.size;
  });
  const auto rest = std::ranges::unique(lanes_, {}, &LaneAccess::address);
  lanes_.erase(rest.begin(), rest.end());
  if (lanes_.size() > 1 && gpu_.constant_cache->uniform_only)
    return false;
  const Requester who{.core = place.core, .warp = place.warp, .reference = event.reference};
  Cycles enters = std::max(at, constant_ports_[place.core]);
  const std::uint64_t bytes = gpu_.constant_cache->line;
  std::uint64_t least = ~std::uint64_t{0};
  for (const LaneAccess& lane : lanes_) {
    const std::uint64_t first = lane.address / bytes,
                        last = (lane.address + std::max(lane.size, 1U) - 1) / bytes;
    for (std::uint64_t line = first; line <= last; ++line) {
      const Served served = hierarchy_.read_constant(who, enters, line * bytes);
      count.hits += served.hits;
      count.misses += served.misses;
      done.at = std::max(done.at, served.done);
      enters += &lane == &lanes_.back() && line == last ? 1 : gpu_.constant_cache->address_cycles;
    }
    count.transactions += last - first + 1;
    least = std::min(least, last - first + 1);
  }
  count.fewest += least;
  constant_ports_[place.core] = enters;
  return true;
}

std::size_t MemoryUnit::warp_of_group(const Place& place) const {
  return place.warp - *std::prev(std::ranges::upper_bound(trace_.groups, place.warp));
}

// Each word of a private array lies beside that of the next work-item.
void MemoryUnit::add_lanes(const Place& place, const WarpEvent& event) {
  lanes_.clear();
  for (const AccessedPlace& one : event.places) {
    if (!trace_.objects[one.object].own) {
      lanes_.push_back(
          {.address = layout_.address(one, place.slot), .size = one.size, .lane = one.lane});
      continue;
    }
    if (settings_.in_registers == one.object)
      continue;
    const std::size_t warp = warp_of_group(place);
    for (std::uint64_t at = one.offset, end = one.offset + one.size; at < end;) {
      const std::uint64_t next = std::min(end, (at / Layout::kWord + 1) * Layout::kWord);
      AccessedPlace part = one;
      part.offset = at;
      lanes_.push_back({.address = layout_.address(part, place.slot, warp),
                        .size = static_cast<std::uint32_t>(next - at),
                        .lane = one.lane});
      at = next;
    }
  }
}

// Returns what a group may have of RunSettings::tiled, so that a core holds as many groups as
// without it.
std::size_t MemoryUnit::sectors_of_tile() const {
  if (!settings_.tiled || !gpu_.local_memory)
    return 1;
  std::size_t warps = 1;
  for (std::size_t group = 0; group < trace_.group_count(); ++group)
    warps = std::max<std::size_t>(warps, trace_.groups[group + 1] - trace_.groups[group]);
  std::size_t groups =
      std::min(gpu_.groups_per_core, std::max<std::size_t>(1, gpu_.warps_per_core / warps));
  groups = std::min(groups,
                    std::max<std::size_t>(1, (trace_.group_count() + gpu_.cores - 1) / gpu_.cores));
  const std::size_t own = layout_.local_size(), size = gpu_.local_memory->size / groups;
  return std::max<std::size_t>(1, size <= own ? 1 : (size - own) / gpu_.caches.front().sector);
}

// A read whose sectors the group has loaded before comes from local memory, in as many passes as
// its banks need. The others are loaded and written there, by neighbouring work-items without
// conflicts.
MemoryUnit::Done MemoryUnit::access_tiled(const Place& place, Cycles at, const WarpEvent& event,
                                          RunCount& all) {
  const auto group = static_cast<std::uint32_t>(
      std::ranges::upper_bound(trace_.groups, place.warp) - trace_.groups.begin() - 1);
  const std::uint64_t sector = gpu_.caches.front().sector;
  WarpEvent loads = event;
  lanes_.clear();
  std::erase_if(loads.places, [&](const AccessedPlace& one) {
    const std::uint64_t first = layout_.address(one, place.slot),
                        last = first + std::max(one.size, 1U) - 1;
    lanes_.push_back(
        {.address = tile_places_->place(group, first), .size = one.size, .lane = one.lane});
    bool there = true;
    for (std::uint64_t number = first / sector; number <= last / sector; ++number)
      there = tiles_.use(group, number) && there;
    return there;
  });
  Done done{.at = at};
  const LocalMemory& memory = *gpu_.local_memory;
  const Transactions reads = bank_passes(lanes_, memory, gpu_.warp_size, false);
  unsigned passes = reads.made;
  if (!loads.places.empty()) {
    done = access_global(place, at, loads, all);
    passes += reads.fewest; // it is written first
  }
  const Cycles enters = enter_banks(place.core, at, passes);
  done.at = std::max(done.at, enters + passes - 1) + memory.cycles;
  return done;
}

// Returns when the texture unit of the core begins with the read. It takes four texels of a
// work-item at once, and filters texels of at most four bytes at once.
Cycles MemoryUnit::enter_texture_unit(const Place& place, Cycles at, const WarpEvent& event) {
  std::size_t most = 1, texels = 0;
  std::optional<std::uint32_t> last;
  for (const AccessedPlace& one : event.places) {
    texels = last == one.lane ? texels + 1 : 1;
    last = one.lane;
    most = std::max(most, texels);
  }
  const std::size_t parts =
      (most > 4 ? 2U : 1U) * (most > 1 && event.places.front().size > 4 ? 2U : 1U);
  const std::size_t items = gpu_.texture->items_per_cycle;
  const Cycles enters = std::max(at, texture_ports_[place.core]);
  texture_ports_[place.core] = enters + parts * ((work_items_of(event) + items - 1) / items);
  return enters;
}

// A read of an image, which comes to the nearest cache later than one of a buffer would, or to the
// core's cache for textures.
MemoryUnit::Done MemoryUnit::access_texture(const Place& place, Cycles at, const WarpEvent& event,
                                            RunCount& all) {
  const Texture& texture = *gpu_.texture;
  const Cycles enters = enter_texture_unit(place, at, event);
  const Cycles taken = texture_ports_[place.core] - enters - 1; // until the last item enters
  if (!texture.cache) {
    const Cycles later = texture.hit_cycles - gpu_.caches.front().hit_cycles;
    Done done = access_global(place, enters, event, all, later + taken);
    done.at += later + taken;
    return done;
  }
  add_lanes(place, event);
  CacheLevel lines;
  lines.line = lines.sector = texture.cache->line;
  const Transactions transactions = coalesce(lanes_, lines, requests_);
  ReferenceCount& count = all.references[event.reference];
  count.transactions += transactions.made;
  count.fewest += transactions.fewest;
  const Requester who{.core = place.core, .warp = place.warp, .reference = event.reference};
  Done done{.at = enters};
  for (const LineRequest& request : requests_) {
    const Served served =
        hierarchy_.read_texture(who, enters, request.number * texture.cache->line);
    add_served(served, event.reference, all, done);
    done.at = std::max(done.at, served.done);
  }
  done.at += taken;
  if (settings_.monitor) {
    for (LineRequest& request : requests_) // lines come whole
      request.sectors = static_cast<std::uint32_t>(
          (std::uint64_t{1} << lines.line / texture_sector(gpu_, *texture.cache)) - 1);
    const Cycles fair = texture_round_.miss(requests_) + taken;
    done.lost = done.at - enters <= fair ? 0 : done.at - enters - fair;
  }
  return done;
}

// Returns the sectors that the words of private arrays fill. No layout of less than a word would
// take fewer.
unsigned MemoryUnit::fewest_of_words() const {
  std::uint64_t words = 0, last = ~std::uint64_t{0};
  for (const LaneAccess& lane : lanes_) { // by address, since coalesce()
    const std::uint64_t word = lane.address / Layout::kWord;
    words += word != last;
    last = word;
  }
  const std::uint64_t sector = gpu_.caches.front().sector;
  return static_cast<unsigned>((words * Layout::kWord + sector - 1) / sector);
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

// `later`: cycles that a texture unit adds, which no other warp causes.
MemoryUnit::Done MemoryUnit::access_global(const Place& place, Cycles at, const WarpEvent& event,
                                           RunCount& all, Cycles later) {
  const Reference& reference = trace_.references[event.reference];
  ReferenceCount& count = all.references[event.reference];
  add_lanes(place, event);
  const CacheLevel& nearest = gpu_.caches.front();
  const unsigned passes =
      nearest.local_banks ? bank_passes(lanes_, *gpu_.local_memory, gpu_.warp_size, false).made : 1;
  const Transactions transactions = coalesce(lanes_, nearest, requests_);
  count.transactions += transactions.made;
  const bool own = std::ranges::all_of(
      event.places, [&](const AccessedPlace& one) { return trace_.objects[one.object].own; });
  count.fewest += own ? fewest_of_words() : transactions.fewest;
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
    add_served(served, event.reference, all, result);
    if (settings_.step && served.misses != 0)
      count_set(place, at, request.number, served, all);
    result.ends = std::max(result.ends, served.ends);
  }
  const bool waits = operation != Operation::Atomic || reference.waits;
  result.at = waits ? done : at;
  result.lost =
      waits && settings_.monitor ? lost(place, done + later - at, passes + later, event) : 0;
  return result;
}

// Adds what a cache did for a request.
void MemoryUnit::add_served(const Served& served, std::uint32_t reference, RunCount& all,
                            Done& done) {
  ReferenceCount& count = all.references[reference];
  count.hits += served.hits;
  count.misses += served.misses;
  count.reloads += served.reloads;
  if (!served.interference)
    return;
  Interference& found = all.interferences[{reference, served.evictor}];
  ++found.lines;
  found.sets.insert(served.set);
  if (!done.interference || served.done > done.interference_ends) {
    done.interference = &found;
    done.interference_ends = served.done;
  }
}

void MemoryUnit::count_set(const Place& place, Cycles at, std::uint64_t line, const Served& served,
                           RunCount& count) {
  count.sets.resize(gpu_.caches.front().sets());
  std::vector<SetCount>& steps = count.sets[hierarchy_.nearest(place.core).set_of(line)];
  const auto step = static_cast<std::size_t>(at / *settings_.step);
  if (steps.size() <= step)
    steps.resize(step + 1);
  ++steps[step].misses;
  steps[step].evicted += served.interference;
}

// Equation 9: without other warps, sure hits take the time of a hit, and all else a round to DRAM.
Cycles MemoryUnit::lost(const Place& place, Cycles taken, Cycles passes, const WarpEvent& event) {
  const std::size_t at = place.warp * trace_.references.size() + event.reference;
  const bool sure = at < settings_.sure_hits.size() && settings_.sure_hits[at];
  const Cycles fair = (sure ? round_.hit(requests_) : round_.miss(requests_)) + passes - 1;
  return taken <= fair ? 0 : taken - fair;
}

} // namespace gputest::memory
