// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports of the check of races: each pair of places once, with the accesses and the missing
// barrier.
#include "simulator/checks/races/races.h"
#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace gputest::simulator {

// Returns null if it was reported before. A report is for a pair of places in either order.
Finding* Races::add(const char* kind, unsigned site, unsigned other) {
  const auto [first, second] = std::minmax(site, other);
  const std::uint64_t key = std::uint64_t{first} << 32 | std::uint64_t{second} << 1 |
                            (std::string_view(kind) == "race" ? 0 : 1);
  if (key == last_pair_) { // loops repeat the same race
    findings_.count_again(last_index_);
    return nullptr;
  }
  if (const auto known = pairs_.find(key); known != pairs_.end()) {
    if (known->second != Findings::kNone) {
      last_pair_ = key;
      last_index_ = known->second;
    }
    if (known->second != Findings::kNone)
      findings_.count_again(known->second);
    return nullptr;
  }
  Finding* const finding = findings_.add(kind, first, second);
  pairs_[key] = findings_.index_of(kind, first, second);
  if (finding) {
    finding->site = shape_.sites.at(site);
    finding->other = shape_.sites.at(other);
  }
  return finding;
}

void Races::report_pair(const std::byte* at, const Access& mine, std::uint64_t mark, Kind kind,
                        bool same_value) {
  if (Finding* const finding =
          add(same_value ? "race_same_value" : "race", mine.site, marks_.site_of(mark)))
    describe(*finding, at, mine, mark, kind, same_value, {});
}

std::string Races::name_of(const Access& access) const {
  const WorkItem me = running_item(context_);
  return access.of_copy ? fmt::format("the copy of group {}", text_of(me.group, dimensions_))
                        : text_of(me, dimensions_);
}

// `why`: nothing orders the two; empty: as the marks tell.
void Races::describe(Finding& finding, const std::byte* at, const Access& mine, std::uint64_t mark,
                     Kind kind, bool same_value, const std::string& why) const {
  const bool forgotten = group_of(mark) == kForgotten;
  const WorkItem other = forgotten ? WorkItem{} : item_of(mark);
  const bool between_groups = forgotten || running_item(context_).group != other.group;
  const bool atomic = kind == AtomicWrite || kind == AtomicRead;
  const Region* const region = arena_.near(at);
  const std::string name = region ? region->name : "?";
  const std::string who = forgotten ? "a work-item of another group"
                          : copy_sites_.contains(marks_.site_of(mark))
                              ? fmt::format("a copy of group {}", text_of(other.group, dimensions_))
                              : text_of(other, dimensions_);
  finding.cause = cause(name, between_groups, mine.local);
  finding.message = fmt::format(
      "{} on byte {} of '{}', {}: {} {} here, and {} {} at {}; {}{}",
      same_value ? "data race, in which both write the same," : "data race",
      region ? at - region->begin : 0, name,
      between_groups ? "between work-groups" : "within a work-group", name_of(mine),
      mine.write ? "writes" : "reads", who,
      kind == PlainWrite || kind == AtomicWrite ? "writes" : "reads", place_text(finding.other),
      why.empty() ? why_unordered(mark, between_groups, mine.local, name) : why,
      atomic && mine.atomic ? " (both are atomic, and the scope of a block does not reach "
                              "other blocks)"
      : atomic              ? " (only that one is atomic)"
      : mine.atomic         ? " (only this one is atomic)"
                            : "");
}

// One barrier is missing between two barriers that order this memory, even if many pairs of
// accesses show it.
std::string Races::cause(const std::string& name, bool between_groups, bool local) const {
  if (between_groups)
    return fmt::format("races on '{}' between work-groups", name);
  const std::optional<unsigned>& barrier = now_.ordered_by[local ? 0 : 1];
  return fmt::format("races on '{}' within a work-group after {}", name,
                     barrier ? "the barrier at " + place_text(shape_.sites.at(*barrier))
                             : std::string("its beginning"));
}

// Mentions a barrier between the two that lacks the fence of this memory.
std::string Races::why_unordered(std::uint64_t mark, bool between_groups, bool local,
                                 const std::string& name) const {
  const auto* between = static_cast<const std::pair<const unsigned, Running::Passed>*>(nullptr);
  for (const auto& one : now_.passed)
    if (!between_groups && one.second.epoch > marks_.epoch_of(mark) &&
        (!between || one.second.epoch > between->second.epoch))
      between = &one;
  if (!between)
    return why_unfenced(mark);
  const char* const has = between->second.flags & kLocalFence    ? "only CLK_LOCAL_MEM_FENCE"
                          : between->second.flags & kGlobalFence ? "only CLK_GLOBAL_MEM_FENCE"
                                                                 : "no fence";
  return fmt::format(
      "the barrier at {} has {} and does not order accesses of {} memory: '{}' needs "
      "{}",
      place_text(shape_.sites.at(between->first)), has, local ? "local" : "global", name,
      local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE");
}

// The name of a fence that orders accesses of two groups, or of two work-items of one.
std::string Races::fence_for(bool between_groups) const {
  const model::LanguageRow& language = model::row_of(shape_.language);
  return std::string(between_groups ? language.device_fence : language.group_fence);
}

// Mentions the fences that are there, and those that are not.
std::string Races::why_unfenced(std::uint64_t mark) const {
  using Scope = RaceOrder::Scope;
  const auto told =
      shape_.syncs && group_of(mark) != kForgotten
          ? order_.told(thread_of(context_.item), thread_that_left(mark), marks_.epoch_of(mark))
          : std::nullopt;
  if (!told)
    return "nothing orders the two";
  const std::string other = text_of(item_of(mark), dimensions_),
                    me = text_of(running_item(context_), dimensions_);
  const bool between_groups = group_of(mark) != group_;
  const std::string fence = fence_for(between_groups);
  const auto reaches = [&](const std::optional<Scope>& scope) {
    return scope && (*scope == Scope::Device || !between_groups);
  };
  const std::string released =
      reaches(told->released) ? fmt::format("{} has a fence or release after its access", other)
      : told->released
          ? fmt::format("the fence or release of {} after its access has the scope of a "
                        "work-group, and {} is of another work-group: it needs {}",
                        other, me, fence)
          : fmt::format("{} has no {} between its access and its write of what was told", other,
                        fence);
  const std::string acquired =
      reaches(told->acquired)
          ? fmt::format("{} has a fence or acquire after its read of what was told", me)
      : told->acquired ? fmt::format("the fence or acquire of {} after its read of what was told "
                                     "has the scope of a work-group, and {} is of another "
                                     "work-group: it needs {}",
                                     me, other, fence)
                       : fmt::format("{} has no {} between its read of what was told and this "
                                     "access",
                                     me, fence);
  if (reaches(told->released))
    return fmt::format("{}, but {}", released, acquired);
  return reaches(told->acquired) ? fmt::format("{}, but {}", acquired, released)
                                 : fmt::format("{}, and {}", released, acquired);
}

void Races::report_copies(const std::byte* at, std::uint64_t size, const Access& mine,
                          std::uint64_t item) {
  for (const auto& [other, written] : copies_.in_conflict(at, size, mine.write, item)) {
    Finding* const finding = add("race", mine.site, other->site);
    if (!finding)
      continue;
    const Region* const region = arena_.near(at);
    finding->message = fmt::format(
        "data race on byte {} of '{}', within a work-group: {} {} here, and the copy that begins "
        "at {} {} it; wait_group_events does not come between the two",
        region ? at - region->begin : 0, region ? region->name : "?", name_of(mine),
        mine.write ? "writes" : "reads", place_text(finding->other), written ? "writes" : "reads");
  }
}

} // namespace gputest::simulator
