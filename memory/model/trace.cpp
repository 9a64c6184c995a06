// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/trace.h"

#include <algorithm>
#include <bit>

namespace gputest::memory {
namespace {

// An event begins with a number: the kind in the lowest two bits, and the count or reference above.
// A wait has its need in two bits between them.
// Numbers have 7 bits in a byte, the lowest first. In an access, a byte of flags follows.
enum : std::uint64_t { kCompute = 0, kAccess = 1, kBarrier = 2, kWait = 3 };
enum : std::uint8_t {
  kSomeLanes = 1, // the mask of lanes follows; else all of the warp
  kStride = 2,    // the first offset and the distance follow; else each place
  kOthers = 4,    // each place has an object and a size of its own
  kSeveral = 8    // each lane has a number of places, which stands in front of them
};

std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t from_zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

std::int64_t difference(std::uint64_t to, std::uint64_t from) {
  return static_cast<std::int64_t>(to - from);
}

std::uint64_t full_mask(std::size_t lanes) {
  return lanes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
}

// Whether offsets of neighbouring lanes are at equal distances. `stride`: gets the distance.
bool has_stride(std::span<const Place> places, std::int64_t& stride) {
  stride = 0;
  if (places.size() == 1)
    return true;
  const auto lanes = static_cast<std::int64_t>(places[1].lane - places[0].lane);
  const std::int64_t first = difference(places[1].offset, places[0].offset);
  if (first % lanes != 0)
    return false;
  stride = first / lanes;
  return std::ranges::all_of(places, [&](const Place& place) {
    return difference(place.offset, places[0].offset) ==
           stride * static_cast<std::int64_t>(place.lane - places[0].lane);
  });
}

bool is_within(const Place& place, const std::vector<MemoryObject>& objects) {
  const std::uint64_t size = objects[place.object].size;
  return place.offset <= size && size - place.offset >= place.size;
}

} // namespace

WarpWriter::WarpWriter(LaunchTrace& trace) : trace_(trace), outstanding_(trace.references.size()) {
  trace_.warps.push_back({.begin = trace_.code.size(), .end = trace_.code.size()});
}

void WarpWriter::number(std::uint64_t value) {
  while (value >= 128) {
    trace_.code.push_back(static_cast<std::uint8_t>(value | 128));
    value >>= 7;
  }
  trace_.code.push_back(static_cast<std::uint8_t>(value));
}

void WarpWriter::flush() {
  if (pending_ != 0)
    number(pending_ << 2 | kCompute);
  pending_ = 0;
}

Place WarpWriter::settled(Place place) const {
  if (place.object >= trace_.objects.size())
    return place;
  const MemoryObject& object = trace_.objects[place.object];
  if (object.part_of && !is_within(place, trace_.objects)) {
    place.offset += object.part_begin;
    place.object = *object.part_of;
  }
  return place;
}

void WarpWriter::compute(std::uint64_t instructions) {
  pending_ += instructions;
}

void WarpWriter::access(std::uint32_t reference, std::span<const Place> places) {
  flush();
  const Reference& known = trace_.references[reference];
  outstanding_[reference] =
      known.kind == Reference::Kind::Read || (known.kind == Reference::Kind::Atomic && known.waits);
  std::uint64_t mask = 0;
  bool others = false, several = false;
  for (const Place& place : places) {
    several = several || (mask >> place.lane & 1) != 0;
    mask |= std::uint64_t{1} << place.lane;
    others = others || static_cast<int>(place.object) != known.object || place.size != known.size;
    if (!outside_ && place.object < trace_.objects.size() && !is_within(place, trace_.objects))
      outside_ = {.reference = reference, .place = place};
  }
  std::int64_t stride = 0;
  const bool regular = !others && !several && has_stride(places, stride);
  const bool some = mask != full_mask(trace_.warp_size);
  number(std::uint64_t{reference} << 2 | kAccess);
  trace_.code.push_back(static_cast<std::uint8_t>((some ? kSomeLanes : 0) |
                                                  (regular ? kStride : 0) | (others ? kOthers : 0) |
                                                  (several ? kSeveral : 0)));
  if (some)
    number(mask);
  if (regular) {
    number(places.front().offset);
    number(zigzag(stride));
    return;
  }
  std::uint64_t before = 0;
  std::optional<std::uint32_t> lane;
  for (const Place& place : places) {
    if (several && lane != place.lane) {
      lane = place.lane;
      number(static_cast<std::uint64_t>(std::ranges::count(places, place.lane, &Place::lane)));
    }
    number(zigzag(difference(place.offset, before)));
    before = place.offset;
    if (others) {
      number(place.object);
      number(place.size);
    }
  }
}

void WarpWriter::access_border(std::uint32_t reference) {
  compute(1);
  if (trace_.at_border.size() <= reference)
    trace_.at_border.resize(reference + 1);
  ++trace_.at_border[reference];
}

void WarpWriter::barrier() {
  flush();
  number(kBarrier);
}

void WarpWriter::wait(std::uint32_t reference, Need need) {
  if (!outstanding_[reference])
    return;
  flush();
  number((std::uint64_t{reference} << 2 | static_cast<std::uint64_t>(need)) << 2 | kWait);
  outstanding_[reference] = need != Need::Last;
}

void WarpWriter::end() {
  flush();
  trace_.warps.back().end = trace_.code.size();
}

std::uint64_t WarpReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at_++;
    value |= std::uint64_t{byte & 127U} << shift;
    if (byte < 128)
      return value;
  }
}

bool WarpReader::next(WarpEvent& event) {
  if (at_ == end_)
    return false;
  const std::uint64_t head = number();
  switch (head & 3) {
  case kCompute:
    event.kind = WarpEvent::Kind::Compute;
    event.count = head >> 2;
    return true;
  case kBarrier:
    event.kind = WarpEvent::Kind::Barrier;
    return true;
  case kWait:
    event.kind = WarpEvent::Kind::Wait;
    event.need = static_cast<Need>(head >> 2 & 3);
    event.reference = static_cast<std::uint32_t>(head >> 4);
    return true;
  default:
    break;
  }
  event.kind = WarpEvent::Kind::Access;
  event.reference = static_cast<std::uint32_t>(head >> 2);
  event.places.clear();
  const Reference& known = trace_->references[event.reference];
  const std::uint8_t flags = *at_++;
  std::uint64_t mask = (flags & kSomeLanes) != 0 ? number() : full_mask(trace_->warp_size);
  if ((flags & kStride) != 0) {
    const std::uint64_t begin = number();
    const std::int64_t stride = from_zigzag(number());
    const int first = std::countr_zero(mask);
    for (; mask != 0; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      event.places.push_back({.lane = static_cast<std::uint32_t>(lane),
                              .object = static_cast<std::uint32_t>(known.object),
                              .offset = begin + static_cast<std::uint64_t>(stride * (lane - first)),
                              .size = known.size});
    }
    return true;
  }
  std::uint64_t before = 0, left = 0; // left: of the lane
  for (; mask != 0; mask &= left == 0 ? mask - 1 : mask) {
    if (left == 0)
      left = (flags & kSeveral) != 0 ? number() : 1;
    --left;
    before += static_cast<std::uint64_t>(from_zigzag(number()));
    const bool others = (flags & kOthers) != 0;
    const std::uint32_t object =
        others ? static_cast<std::uint32_t>(number()) : static_cast<std::uint32_t>(known.object);
    const std::uint32_t size = others ? static_cast<std::uint32_t>(number()) : known.size;
    event.places.push_back({.lane = static_cast<std::uint32_t>(std::countr_zero(mask)),
                            .object = object,
                            .offset = before,
                            .size = size});
  }
  return true;
}

bool leaves_an_object(const LaunchTrace& trace) {
  WarpEvent event;
  for (const LaunchTrace::Warp& warp : trace.warps)
    for (WarpReader reader(trace, warp); reader.next(event);)
      if (event.kind == WarpEvent::Kind::Access &&
          !std::ranges::all_of(event.places,
                               [&](const Place& place) { return is_within(place, trace.objects); }))
        return true;
  return false;
}

} // namespace gputest::memory
