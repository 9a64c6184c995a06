// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/guide.h"

#include <algorithm>

namespace gputest::memory {

// Returns false for on-chip memory and constants, which do not use the cache, and for private
// arrays, which no other warp uses.
bool Guide::lines_of(const WarpEvent& event, const Where& where) {
  const MemoryObject& object = trace_.objects[event.places.front().object];
  if (object.own || (gpu_.local_memory && object.local) ||
      (gpu_.constant_cache && object.constant) ||
      (object.image && gpu_.texture && gpu_.texture->cache))
    return false;
  lanes_.clear();
  for (const Place& place : event.places)
    lanes_.push_back(
        {.address = layout_.address(place, where.slot), .size = place.size, .lane = place.lane});
  coalesce(lanes_, gpu_.caches.front(), requests_);
  return true;
}

const Guide::Ahead& Guide::ahead_of(const WarpReader& reader, const Where& where) {
  if (ahead_.size() <= where.warp)
    ahead_.resize(where.warp + 1);
  Ahead& ahead = ahead_[where.warp];
  if (ahead.position == reader.position())
    return ahead;
  ahead.position = reader.position();
  ahead.lines.clear();
  ahead.ends.clear();
  ahead.before_barrier = kAhead;
  WarpReader next = reader;
  for (unsigned i = 0; i < kEvents && ahead.ends.size() < kAhead && next.next(event_); ++i) {
    if (event_.kind == WarpEvent::Kind::Wait)
      --i; // no instruction
    if (event_.kind == WarpEvent::Kind::Barrier)
      ahead.before_barrier = std::min(ahead.before_barrier, ahead.ends.size());
    if (event_.kind != WarpEvent::Kind::Access)
      continue;
    if (lines_of(event_, where))
      for (const LineRequest& request : requests_)
        ahead.lines.push_back(request.number);
    ahead.ends.push_back(ahead.lines.size());
  }
  return ahead;
}

void Guide::add_waiting(const WarpReader& reader, const Where& where) {
  const Cache& cache = hierarchy_.nearest(where.core);
  for (const std::uint64_t line : ahead_of(reader, where).lines)
    if (cache.holds(line))
      reused_.insert(line);
}

Harm Guide::harm(const WarpReader& reader, const Where& where, Cycles at) {
  const Cache& cache = hierarchy_.nearest(where.core);
  const Ahead& ahead = ahead_of(reader, where);
  Harm harm;
  std::size_t line = 0;
  for (std::size_t access = 0; access < std::min(ahead.ends.size(), ahead.before_barrier);
       ++access) {
    missing_sets_.clear();
    for (; line < ahead.ends[access]; ++line) {
      const std::uint64_t number = ahead.lines[line];
      if (cache.holds(number))
        continue;
      const std::uint64_t set = cache.set_of(number);
      const auto before = static_cast<std::size_t>(std::ranges::count(missing_sets_, set));
      missing_sets_.push_back(set);
      const CacheLine* const victim = cache.oldest(number, before);
      harm.evictions += victim && reused_.contains(victim->number);
      harm.queued += hierarchy_.dram().free_at(number * gpu_.caches.front().line) > at;
    }
    if (!missing_sets_.empty())
      break; // the warp waits for these
  }
  return harm;
}

} // namespace gputest::memory
