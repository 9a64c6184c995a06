// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/fields.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gputest::memory {
namespace {

// The parts of elements that single accesses take: begins and ends. The end is behind the element
// if it takes bytes of the next one.
std::map<std::uint64_t, std::uint64_t> parts_of(const LaunchTrace& trace, std::uint32_t object,
                                                std::uint64_t element) {
  std::map<std::uint64_t, std::uint64_t> parts;
  WarpEvent event;
  for (const LaunchTrace::Warp& warp : trace.warps)
    for (WarpReader reader(trace, warp); reader.next(event);) {
      if (event.kind != WarpEvent::Kind::Access)
        continue;
      for (const Place& place : event.places) {
        const MemoryObject& accessed = trace.objects[place.object];
        if (accessed.part_of.value_or(place.object) != object)
          continue;
        const std::uint64_t begin = (accessed.part_begin + place.offset) % element;
        std::uint64_t& end = parts[begin];
        end = std::max(end, begin + place.size);
      }
    }
  return parts;
}

} // namespace

std::vector<std::uint64_t> fields_of(const LaunchTrace& trace, std::uint32_t object,
                                     std::uint64_t element) {
  std::vector<std::uint64_t> begins{0};
  const auto begins_at = [&](std::uint64_t at) {
    if (at < element && begins.back() != at)
      begins.push_back(at);
  };
  std::uint64_t end = 0;
  for (const auto& [part, part_end] : parts_of(trace, object, element)) {
    if (part_end > element)
      return {};
    if (part >= end) {
      begins_at(end);
      begins_at(part);
    }
    end = std::max(end, part_end);
  }
  begins_at(end);
  return begins.size() > kMostFields ? std::vector<std::uint64_t>() : begins;
}

std::vector<std::uint64_t> columns_of(const LaunchTrace& trace, std::uint32_t object,
                                      std::uint64_t row, std::uint64_t column) {
  if (row % column != 0 || row / column > kMostColumns)
    return {};
  for (const auto& [part, end] : parts_of(trace, object, row))
    if (end > part / column * column + column)
      return {};
  std::vector<std::uint64_t> begins;
  for (std::uint64_t at = 0; at < row; at += column)
    begins.push_back(at);
  return begins;
}

} // namespace gputest::memory
