// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/race_copies.h"

#include <algorithm>

namespace gputest::simulator {
namespace {

// Whether one of the elements from `base`, `stride` bytes apart, overlaps the `bytes` bytes from
// `at`.
bool touches(const std::byte* base, std::uint64_t stride, const Copy& copy, const std::byte* at,
             std::uint64_t bytes) {
  if (at + bytes <= base || copy.count == 0)
    return false;
  const auto end = static_cast<std::uint64_t>(at + bytes - base); // the end of the access
  const std::uint64_t last =
      std::min((end - 1) / std::max<std::uint64_t>(stride, 1), copy.count - 1);
  // The last element that begins before the end reaches furthest.
  return base + last * stride + copy.size > at;
}

} // namespace

void CopiesUnderWay::begin(const Copy& copy, unsigned site, std::uint64_t event,
                           std::uint64_t items) {
  copies_.push_back({copy, site, event, std::vector<bool>(items), 0});
}

void CopiesUnderWay::end(std::uint64_t event, std::uint64_t item) {
  for (One& one : copies_)
    if (one.event == event && !one.waits[item]) {
      one.waits[item] = true;
      ++one.waited;
    }
  std::erase_if(copies_, [](const One& one) { return one.waited == one.waits.size(); });
}

std::vector<CopiesUnderWay::Meeting> CopiesUnderWay::in_conflict(const std::byte* at,
                                                                 std::uint64_t size, bool write,
                                                                 std::uint64_t item) const {
  std::vector<Meeting> found;
  for (const One& one : copies_) {
    const Copy& copy = one.copy;
    if (one.waits[item])
      continue;
    const bool written = touches(copy.to, copy.to_stride * copy.size, copy, at, size);
    if (written || (write && touches(copy.from, copy.from_stride * copy.size, copy, at, size)))
      found.push_back({&one, written});
  }
  return found;
}

CopiesUnderWay::Span CopiesUnderWay::span() const {
  Span span;
  const auto add = [&](const std::byte* first, std::uint64_t bytes) {
    span.begin = span.begin ? std::min(span.begin, first) : first;
    span.end = std::max(span.end, first + bytes);
  };
  for (const One& one : copies_)
    if (const Copy& copy = one.copy; copy.count != 0) {
      add(copy.to, ((copy.count - 1) * copy.to_stride + 1) * copy.size);
      add(copy.from, ((copy.count - 1) * copy.from_stride + 1) * copy.size);
    }
  return span;
}

} // namespace gputest::simulator
