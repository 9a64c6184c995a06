#include "memory/model/guide.h"

#include <algorithm>

namespace gputest::memory {

// False: on-chip memory, which no cache has.
bool Guide::lines_of(const WarpEvent& event, const Where& where) {
  if (gpu_.local_memory && trace_.objects[event.places.front().object].local)
    return false;
  lanes_.clear();
  for (const Place& place : event.places)
    lanes_.push_back(
        {.address = layout_.address(place, where.slot), .size = place.size, .lane = place.lane});
  coalesce(lanes_, gpu_.caches.front(), requests_);
  return true;
}

void Guide::add_waiting(const WarpReader& reader, const Where& where) {
  WarpReader ahead = reader;
  unsigned accesses = 0;
  for (unsigned i = 0; i < kEvents && accesses < kAhead && ahead.next(event_); ++i) {
    if (event_.kind != WarpEvent::Kind::Access)
      continue;
    ++accesses;
    if (lines_of(event_, where))
      for (const LineRequest& request : requests_)
        if (hierarchy_.nearest(where.core).holds(request.number))
          reused_.insert(request.number);
  }
}

Harm Guide::harm(const WarpReader& reader, const Where& where, Cycles at) {
  const Cache& cache = hierarchy_.nearest(where.core);
  WarpReader ahead = reader;
  Harm harm;
  unsigned accesses = 0;
  for (unsigned i = 0; i < kEvents && accesses < kAhead && ahead.next(event_); ++i) {
    if (event_.kind == WarpEvent::Kind::Barrier)
      break;
    if (event_.kind != WarpEvent::Kind::Access)
      continue;
    ++accesses;
    if (!lines_of(event_, where))
      continue;
    missing_sets_.clear();
    for (const LineRequest& request : requests_) {
      if (cache.holds(request.number))
        continue;
      const std::uint64_t set = cache.set_of(request.number);
      const auto before = static_cast<std::size_t>(std::ranges::count(missing_sets_, set));
      missing_sets_.push_back(set);
      const CacheLine* const victim = cache.oldest(request.number, before);
      harm.evictions += victim && reused_.contains(victim->number);
      harm.queued += hierarchy_.dram().free_at(request.number * gpu_.caches.front().line) > at;
    }
    if (!missing_sets_.empty())
      break; // it waits for these
  }
  return harm;
}

} // namespace gputest::memory
