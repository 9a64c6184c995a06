// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/lock_step.h"

#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gputest::simulator {

void LockStepRaces::begin_group() {
  Races::begin_group();
  if (context_.in_turns == 0) // the groups before have left
    groups_.clear();
  group_ = &(groups_[running_group()] = {});
  group_->threads.resize(items_of_group(context_));
}

void LockStepRaces::continue_group() {
  Races::continue_group();
  group_ = &groups_[running_group()];
}

void LockStepRaces::pass_barrier(unsigned site, unsigned flags) {
  Races::pass_barrier(site, flags);
  group_->cells.clear();
  group_->messages.clear();
}

// Counts as a barrier of all, because lanes are not told apart by what they have waited for.
void LockStepRaces::awaited(std::uint64_t item, std::uint64_t place, std::uint64_t phase) {
  Races::awaited(item, place, phase);
  group_->cells.clear();
  group_->messages.clear();
}

void LockStepRaces::pass_warp(std::uint64_t first, std::uint64_t lanes, bool steps) {
  Races::pass_warp(first, lanes, steps);
  ++now_;
  Thread met;
  const auto each = [&](auto&& visit) {
    for (unsigned i = 0; i < shape_.warp_size && first + i < group_->threads.size(); ++i)
      if (lanes >> i & 1)
        visit(i, group_->threads[first + i]);
  };
  if (steps) {
    each([&](unsigned, Thread& thread) { thread.stepped = now_; });
    return;
  }
  each([&](unsigned, const Thread& thread) {
    for (unsigned i = 0; i < shape_.warp_size; ++i)
      met.known[i] = std::max(met.known[i], thread.known[i]);
    met.stepped = std::max(met.stepped, thread.stepped);
  });
  each([&](unsigned lane, const Thread&) { met.known[lane] = now_; });
  each([&](unsigned, Thread& thread) { thread = met; });
}

void LockStepRaces::message(std::uint64_t place, bool receives, bool sends) {
  const std::uint64_t me = context_.item;
  Known& known = group_->threads[me].known;
  const auto sent = group_->messages.find({place, me / shape_.warp_size});
  if (receives && sent != group_->messages.end())
    for (unsigned i = 0; i < shape_.warp_size; ++i)
      known[i] = std::max(known[i], sent->second[i]);
  if (!sends)
    return;
  if (group_->messages.size() > kMostMessages) { // with what they would order
    group_->messages.clear();
    group_->cells.clear();
  }
  Known& told = group_->messages[{place, me / shape_.warp_size}];
  told = known;
  told[me % shape_.warp_size] = ++now_;
}

bool LockStepRaces::knows(const Earlier& other) const {
  return other.epoch < group_->threads[context_.item].known[other.item % shape_.warp_size];
}

// Whether the two writes store the same, or nothing has come between them. Such writes are meant to
// race, as where one lane of several shall win.
bool LockStepRaces::may_both_write(const LaneAccess& access, const Earlier& other) const {
  return other.epoch >= group_->threads[context_.item].stepped ||
         (access.value && std::memcmp(access.value, access.at, access.size) == 0);
}

void LockStepRaces::examine(const LaneAccess& access) {
  if (access.at >= nowhere_.begin && access.at < nowhere_.begin + nowhere_.size)
    return;
  const std::uint64_t me = context_.item;
  if (group_->cells.size() > kMostCells)
    group_->cells.clear();
  for (std::uint64_t done = 0; done < access.size; done += shape_.grain) {
    const std::uint64_t cell = (reinterpret_cast<std::uint64_t>(access.at) + done) / shape_.grain;
    if (access.polls)
      group_->flags.insert(cell);
    std::vector<Earlier>& earlier = group_->cells[cell];
    for (const Earlier& other : earlier)
      if (other.item != me && other.item / shape_.warp_size == me / shape_.warp_size &&
          (other.write || access.write) && !knows(other) && !group_->flags.contains(cell) &&
          !(other.write && access.write && may_both_write(access, other)))
        tell(access, other);
    // What conflicts with an access before a write conflicts with the write as well.
    std::erase_if(earlier, [&](const Earlier& other) {
      if (other.item == me)
        return access.write || (!other.write && other.site == access.site);
      return access.write && other.item / shape_.warp_size == me / shape_.warp_size &&
             (knows(other) || other.epoch < group_->threads[me].stepped);
    });
    earlier.push_back({me, now_, access.site, access.write});
  }
}

void LockStepRaces::tell(const LaneAccess& access, const Earlier& other) {
  const auto [first, second] = std::minmax(access.site, other.site);
  Finding* const finding = findings_.add("lock_step", first, second);
  if (!finding)
    return;
  finding->site = shape_.sites.at(access.site);
  finding->other = shape_.sites.at(other.site);
  const Region* const region = arena_.near(access.at);
  const std::string name = region ? region->name : "?";
  finding->cause = fmt::format("races on '{}' within a warp", name);
  finding->message = fmt::format(
      "data race on byte {} of '{}', within a warp: {} {} here, and {} {} at {}; nothing "
      "but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() "
      "orders them",
      region ? access.at - region->begin : 0, name, text_of(running_item(context_), dimensions_),
      access.write ? "writes" : "reads",
      text_of(work_item(context_, running_group(), other.item), dimensions_),
      other.write ? "writes" : "reads", place_text(finding->other));
}

} // namespace gputest::simulator
