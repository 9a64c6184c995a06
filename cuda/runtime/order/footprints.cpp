// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/order/footprints.h"

#include <algorithm>
#include <array>

namespace gputest::cuda {
namespace {

using simulator::cuda::kAtomicRead;
using simulator::cuda::kAtomicWrite;
using simulator::cuda::kPlainRead;
using simulator::cuda::kPlainWrite;

constexpr std::size_t kMostConflicts = 16; // of an operation

// Whether all that conflicts with `other` conflicts with `one`.
bool stands_for(AccessKind one, AccessKind other) {
  return one == kPlainWrite || one == other || (one != kAtomicRead && other == kAtomicRead);
}

} // namespace

bool conflict(AccessKind one, AccessKind other) {
  const auto atomic = [](AccessKind kind) { return kind == kAtomicWrite || kind == kAtomicRead; };
  const auto writes = [](AccessKind kind) { return kind == kPlainWrite || kind == kAtomicWrite; };
  return (writes(one) || writes(other)) && !(atomic(one) && atomic(other));
}

// Notes the first byte of each pair of places.
void Footprints::compare(std::uint64_t page, const Group& group, const std::vector<Run>& runs,
                         std::vector<Conflict>& found) {
  const auto note = [&](const Run& earlier, const Run& later, std::uint64_t byte) {
    const auto is_known = [&](const Conflict& one) {
      return one.earlier == group.operation && one.of_earlier.place == earlier.place &&
             one.of_later.place == later.place;
    };
    if (found.size() >= kMostConflicts || std::ranges::any_of(found, is_known))
      return;
    const auto touched = [&](const Run& run) {
      return Touched{.begin = page * kPage + run.begin,
                     .size = static_cast<std::uint64_t>(run.end - run.begin),
                     .place = run.place,
                     .kind = run.kind};
    };
    found.push_back({.earlier = group.operation,
                     .of_earlier = touched(earlier),
                     .of_later = touched(later),
                     .byte = page * kPage + byte});
  };
  if (group.runs.size() * runs.size() <= kPage) {
    for (const Run& earlier : group.runs)
      for (const Run& later : runs)
        if (const auto begin = std::max(earlier.begin, later.begin);
            begin < std::min(earlier.end, later.end) && conflict(earlier.kind, later.kind))
          note(earlier, later, begin);
    return;
  }
  std::array<std::array<const Run*, kPage>, 4> owners{}; // by kind and byte
  for (const Run& later : runs)
    std::fill(owners[later.kind].begin() + later.begin, owners[later.kind].begin() + later.end,
              &later);
  for (const Run& earlier : group.runs)
    for (const AccessKind kind : {kPlainWrite, kPlainRead, kAtomicWrite, kAtomicRead})
      for (std::uint64_t byte = earlier.begin; byte < earlier.end; ++byte)
        if (const Run* const later = owners[kind][byte]; later && conflict(earlier.kind, kind))
          note(earlier, *later, byte);
}

void Footprints::add(std::uint64_t number, const OperationPtr& operation,
                     const std::vector<Run>& runs, const Clock* host,
                     std::vector<Conflict>& found) {
  Page& page = pages_[number];
  Group* own = nullptr;
  for (Group& group : page) {
    if (group.operation == operation) {
      own = &group;
    } else if (!group.operation->is_before(*operation) && !operation->is_before(*group.operation)) {
      if (!(group.operation->signals && operation->signals))
        compare(number, group, runs, found);
    } else if (host) { // later operations that are not ordered with it are not with this one either
      const bool ended = group.operation->is_before(*host);
      const auto is_covered = [&](const Run& old) {
        return ended || std::ranges::any_of(runs, [&](const Run& run) {
                 return run.begin <= old.begin && old.end <= run.end &&
                        stands_for(run.kind, old.kind);
               });
      };
      if (ended || runs.size() * group.runs.size() <= kPage)
        count_ -= std::erase_if(group.runs, is_covered);
    }
  }
  if (!own) {
    std::erase_if(page, [](const Group& group) { return group.runs.empty(); });
    own = &page.emplace_back(Group{.operation = operation, .runs = {}});
  }
  for (const Run& run : runs) {
    if (!own->runs.empty() && own->runs.back().end == run.begin &&
        own->runs.back().kind == run.kind && own->runs.back().place == run.place) {
      own->runs.back().end = run.end;
      continue;
    }
    own->runs.push_back(run);
    ++count_;
  }
}

std::vector<Conflict> Footprints::add(const OperationPtr& operation,
                                      std::span<const Touched> touched, const Clock* host) {
  std::vector<Conflict> found;
  std::map<std::uint64_t, std::vector<Run>> parts; // of ranges that share pages
  const auto take = [&](std::uint64_t number, const Run& run) { parts[number].push_back(run); };
  for (const Touched& one : touched) {
    for (std::uint64_t begin = one.begin, end = one.begin + one.size; begin < end;) {
      const std::uint64_t number = begin / kPage, from = begin % kPage,
                          to = std::min(kPage, from + (end - begin));
      take(number, {.begin = static_cast<std::uint16_t>(from),
                    .end = static_cast<std::uint16_t>(to),
                    .kind = one.kind,
                    .place = one.place});
      begin += to - from;
    }
  }
  for (const auto& [number, runs] : parts)
    add(number, operation, runs, host, found);
  if (count_ > kMost)
    clear();
  return found;
}

bool Footprints::covers(const OperationPtr& operation, std::uint64_t begin, std::uint64_t size,
                        bool writes) const {
  const auto found = pages_.find(begin / kPage);
  if (found == pages_.end())
    return false;
  const auto group = std::ranges::find(found->second, operation, &Group::operation);
  if (group == found->second.end())
    return false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  for (const Run& run : group->runs)
    if (run.kind == kPlainWrite || (!writes && run.kind == kPlainRead))
      parts.emplace_back(run.begin, run.end);
  std::ranges::sort(parts);
  std::uint64_t reached = begin % kPage;
  for (const auto& [from, to] : parts)
    if (from <= reached)
      reached = std::max(reached, to);
  return reached >= begin % kPage + size;
}

void Footprints::forget(std::uint64_t begin, std::uint64_t size) {
  if (pages_.empty() || size == 0)
    return;
  for (std::uint64_t page = begin / kPage; page <= (begin + size - 1) / kPage; ++page)
    if (const auto found = pages_.find(page); found != pages_.end()) {
      for (const Group& group : found->second)
        count_ -= group.runs.size();
      pages_.erase(found);
    }
}

void Footprints::clear() {
  pages_.clear();
  count_ = 0;
}

} // namespace gputest::cuda
