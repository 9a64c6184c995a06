// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of races: barriers at which some threads of a block arrive, and for which some wait.
#include "simulator/checks/races/races.h"
#include "simulator/memory/ndrange.h"

namespace gputest::simulator {

// From the begin of device memory; memory of blocks is behind it (context.h).
std::uint64_t Races::offset_of(std::uint64_t place) const {
  return place - reinterpret_cast<std::uint64_t>(context_.memory_begin);
}

std::uint64_t Races::key_of_awaited(std::uint64_t place) const {
  return key_of(place, offset_of(place) >= context_.memory_pages << 12);
}

void Races::arrive(std::uint64_t place, std::uint64_t phase, bool waits) {
  next_epoch();
  const std::uint64_t key = key_of_awaited(place);
  order_.arrive(thread_of(context_.item), key, phase, epoch_);
  if (!waits) {
    context_.orders = 1;
    return;
  }
  constexpr std::uint64_t kKept = 8; // phases of a place
  if (phase > kKept)
    phases_.erase(phases_.lower_bound({key, 0}), phases_.lower_bound({key, phase - kKept}));
  Phase& there = phases_[{key, phase}];
  if (there.passed) // the barrier begins anew
    there = {};
  ++there.waiting;
}

void Races::awaited(std::uint64_t item, std::uint64_t place, std::uint64_t phase) {
  if (!shape_.syncs)
    return;
  const std::uint64_t key = key_of_awaited(place);
  if (const auto found = phases_.find({key, phase}); found != phases_.end()) {
    Phase& there = found->second;
    if (!there.passed && there.waiting == items_of_group(context_)) {
      there.passed = true;
      order_.forget(key, phase);
      pass_barrier(context_.slots->site[item], kLocalFence | kGlobalFence);
    }
    if (there.passed)
      return;
  }
  next_epoch();
  context_.orders = 1;
  order_.acquire(thread_of(item), key);
  order_.wait(thread_of(item), key, phase);
  locks_.barrier(group_, epoch_); // it is not known who is inside of a section then
  locks_.wait(thread_of(item), key, epoch_);
}

} // namespace gputest::simulator
