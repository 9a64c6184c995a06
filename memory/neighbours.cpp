// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/neighbours.h"

#include <algorithm>
#include <span>

namespace gputest::memory {
namespace {

class Joining {
public:
  Joining(const LaunchTrace& trace, std::size_t count) : trace_(trace), count_(count) {
    joined_.kernel = trace.kernel;
    joined_.warp_size = trace.warp_size;
    joined_.unrolled = trace.unrolled;
    joined_.division = trace.division;
    joined_.references = trace.references;
    joined_.objects = trace.objects;
  }

  std::optional<LaunchTrace> run() {
    if (trace_.warp_size % count_ != 0)
      return std::nullopt;
    for (std::size_t group = 0; group < trace_.group_count(); ++group) {
      const std::uint32_t begin = trace_.groups[group], end = trace_.groups[group + 1];
      if ((end - begin) % count_ != 0)
        return std::nullopt;
      for (std::uint32_t warp = begin; warp < end; warp += static_cast<std::uint32_t>(count_))
        if (!join(warp))
          return std::nullopt;
      joined_.groups.push_back(static_cast<std::uint32_t>(joined_.warps.size()));
    }
    return has_vectors_ ? std::optional(std::move(joined_)) : std::nullopt;
  }

private:
  // Returns false if the warps differ.
  bool join(std::uint32_t first) {
    std::vector<WarpReader> readers;
    for (std::size_t i = 0; i < count_; ++i)
      readers.emplace_back(trace_, trace_.warps[first + i]);
    std::vector<WarpEvent> events(count_);
    WarpWriter writer(joined_);
    while (true) {
      std::size_t more = 0;
      for (std::size_t i = 0; i < count_; ++i)
        more += readers[i].next(events[i]) ? 1 : 0;
      if (more == 0)
        break;
      if (more != count_ || !are_alike(events))
        return false;
      switch (events[0].kind) {
      case WarpEvent::Kind::Compute:
        writer.compute(events[0].count * count_);
        break;
      case WarpEvent::Kind::Barrier:
        writer.barrier();
        break;
      case WarpEvent::Kind::Wait:
        writer.wait(events[0].reference, events[0].need);
        break;
      case WarpEvent::Kind::Access:
        access(events, writer);
        break;
      }
    }
    writer.end();
    return true;
  }

  bool are_alike(const std::vector<WarpEvent>& events) const {
    const WarpEvent& one = events.front();
    return std::ranges::all_of(events, [&](const WarpEvent& other) {
      if (other.kind != one.kind)
        return false;
      switch (one.kind) {
      case WarpEvent::Kind::Compute:
        return other.count == one.count;
      case WarpEvent::Kind::Wait:
        return other.reference == one.reference && other.need == one.need;
      case WarpEvent::Kind::Access: // all work-items, each with one place
        return other.reference == one.reference && other.places.size() == trace_.warp_size;
      case WarpEvent::Kind::Barrier:
        break;
      }
      return true;
    });
  }

  void access(const std::vector<WarpEvent>& events, WarpWriter& writer) {
    const MemoryObject& object = trace_.objects[events[0].places[0].object];
    const bool plain = !object.own && !object.image;
    const bool vector =
        plain && all_neighbours(events, [&](std::span<const Place> places) {
          const Place& first = places.front();
          const std::uint64_t bytes = std::uint64_t{first.size} * count_;
          const std::uint64_t begin = trace_.objects[first.object].part_begin + first.offset;
          bool together = first.size != 0 && bytes <= kMostVectorBytes && begin % bytes == 0;
          for (std::size_t i = 1; i < count_; ++i)
            together = together && places[i].object == first.object &&
                       places[i].size == first.size &&
                       places[i].offset == first.offset + i * first.size;
          return together;
        });
    const Reference::Kind kind = trace_.references[events[0].reference].kind;
    if (kind != Reference::Kind::Atomic && vector) {
      has_vectors_ = true;
      write(events, 0, static_cast<std::uint32_t>(count_), writer);
      return;
    }
    const bool same =
        plain && all_neighbours(events, [&](std::span<const Place> places) {
          return std::ranges::all_of(places, [&](const Place& place) {
            return place.object == places[0].object && place.offset == places[0].offset;
          });
        });
    const std::size_t parts = kind == Reference::Kind::Read && same ? 1 : count_;
    for (std::size_t part = 0; part < parts; ++part)
      write(events, part, 1, writer);
  }

  bool all_neighbours(const std::vector<WarpEvent>& events, const auto& holds) const {
    for (const WarpEvent& event : events)
      for (std::size_t first = 0; first < event.places.size(); first += count_)
        if (!holds(std::span(event.places).subspan(first, count_)))
          return false;
    return true;
  }

  // Writes the access of one of each `count_` neighbours, `wide` times as wide.
  void write(const std::vector<WarpEvent>& events, std::size_t part, std::uint32_t wide,
             WarpWriter& writer) {
    places_.clear();
    for (const WarpEvent& event : events)
      for (std::size_t first = 0; first < event.places.size(); first += count_) {
        Place place = event.places[first + part];
        place.lane = static_cast<std::uint32_t>(places_.size());
        place.size *= wide;
        places_.push_back(place);
      }
    writer.access(events[0].reference, places_);
  }

  const LaunchTrace& trace_;
  std::size_t count_;
  LaunchTrace joined_;
  bool has_vectors_ = false;
  std::vector<Place> places_;
};

} // namespace

std::optional<LaunchTrace> with_neighbours(const LaunchTrace& trace, std::size_t count) {
  return Joining(trace, count).run();
}

} // namespace gputest::memory
