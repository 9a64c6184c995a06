// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/race_order.h"

#include <algorithm>

namespace gputest::simulator {
namespace {

constexpr std::size_t kMostReleases = 8;                 // of a place, before they become one
constexpr std::size_t kMostPhases = 64;                  // of a place
constexpr std::size_t kMostMessages = 4, kMostHeard = 8; // what reports know

void raise(auto& clock, std::uint64_t key, std::uint64_t epoch) {
  std::uint64_t& known = clock[key];
  known = std::max(known, epoch);
}

} // namespace

void RaceOrder::Clock::join(const Clock& other) {
  for (const auto& [thread, epoch] : other.threads)
    raise(threads, thread, epoch);
  for (const auto& [group, epoch] : other.groups)
    raise(groups, group, epoch);
}

bool RaceOrder::Clock::knows(Thread other, std::uint64_t epoch) const {
  const auto one = threads.find(other);
  if (one != threads.end() && epoch < one->second)
    return true;
  const auto all = groups.find(group_of(other));
  return all != groups.end() && epoch < all->second;
}

RaceOrder::SharedClock RaceOrder::clock_of(Thread thread) const {
  const auto own = threads_.find(thread);
  if (own != threads_.end() && own->second.clock)
    return own->second.clock;
  const auto common = groups_.find(group_of(thread));
  return common == groups_.end() ? nullptr : common->second;
}

void RaceOrder::Meeting::add(const SharedClock& clock) {
  if (!clock || clock.get() == last_)
    return;
  last_ = clock.get();
  all_->join(*clock);
  for (const auto& release : clock->seen)
    see(release);
  if (clock->fenced && clock->fenced->clock.get() != last_fenced_) {
    last_fenced_ = clock->fenced->clock.get();
    if (!fenced_)
      fenced_ = std::make_shared<Clock>();
    fenced_->join(*last_fenced_);
  }
}

void RaceOrder::Meeting::add(Thread thread, const State& state) {
  for (const auto& release : state.seen)
    if (release->sequential && release->scope == Scope::Device)
      see(release);
  if (!state.of_device || !state.of_device->sequential)
    return;
  if (!fenced_)
    fenced_ = std::make_shared<Clock>();
  if (const Clock* const clock = state.of_device->clock.get(); clock && clock != last_fenced_)
    fenced_->join(*(last_fenced_ = clock));
  raise(fenced_->threads, thread, state.of_device->epoch);
}

void RaceOrder::Meeting::see(const std::shared_ptr<const Release>& release) {
  if (std::ranges::find(all_->seen, release) != all_->seen.end())
    return;
  all_->seen.push_back(release);
  if (all_->seen.size() > kMostReleases)
    all_->seen = {merged(all_->seen)};
}

std::shared_ptr<RaceOrder::Clock> RaceOrder::Meeting::clock() {
  if (fenced_)
    all_->fenced = std::make_shared<Release>(
        Release{.clock = std::move(fenced_), .sequential = true, .by_barrier = true});
  return std::move(all_);
}

// Joins the releases that are for the thread, and leaves the others.
void RaceOrder::join(Thread thread, const Releases& releases, Scope scope, bool sequential,
                     Releases& left) {
  std::shared_ptr<Clock> known;
  const Clock* last = nullptr;
  for (const auto& release : releases) {
    const bool reaches = release->group == group_of(thread) ||
                         (scope == Scope::Device && release->scope == Scope::Device);
    if (release->by_barrier ? !sequential || scope == Scope::Block : !reaches) {
      left.push_back(release);
      continue;
    }
    if (!known) {
      const SharedClock mine = clock_of(thread);
      known = std::make_shared<Clock>(mine ? *mine : Clock());
    }
    if (release->clock.get() != last)
      known->join(*release->clock);
    last = release->clock.get();
  }
  if (known)
    threads_[thread].clock = std::move(known);
}

// Another thread of a barrier has seen something: a sequential fence of this one makes it known.
void RaceOrder::see_by_barriers(Thread thread) {
  const SharedClock mine = clock_of(thread);
  if (!mine || mine->seen.empty())
    return;
  if (last_seen_.first != mine) {
    auto known = std::make_shared<Clock>(*mine);
    known->seen.clear();
    for (const auto& release : mine->seen)
      known->join(*release->clock);
    last_seen_ = {mine, std::move(known)};
  }
  threads_[thread].clock = last_seen_.second;
}

void RaceOrder::fence(Thread thread, Scope scope, std::uint64_t epoch, bool sequential) {
  State& state = threads_[thread];
  acquire_heard(state, scope);
  Releases left;
  join(thread, std::exchange(state.seen, {}), scope, sequential, left);
  state.seen = std::move(left);
  if (sequential && scope == Scope::Device)
    see_by_barriers(thread);
  const Fence made{.clock = clock_of(thread), .epoch = epoch, .sequential = sequential};
  state.of_block = made;
  if (scope == Scope::Device)
    state.of_device = made;
}

std::shared_ptr<const RaceOrder::Release> RaceOrder::release_of(Thread thread, Fence& fence,
                                                                Scope scope) {
  if (!fence.release) {
    auto clock = std::make_shared<Clock>(fence.clock ? *fence.clock : Clock());
    raise(clock->threads, thread, fence.epoch);
    fence.release = std::make_shared<Release>(Release{.clock = std::move(clock),
                                                      .group = group_of(thread),
                                                      .scope = scope,
                                                      .sequential = fence.sequential});
  }
  return fence.release;
}

// Returns the releases that a reader of the thread's strong write sees.
RaceOrder::Releases RaceOrder::releases_of(Thread thread, State& state, const Strong& what,
                                           std::uint64_t epoch) const {
  if (what.releases) {
    Fence now{.clock = clock_of(thread), .epoch = epoch};
    return {release_of(thread, now, what.scope)};
  }
  if (what.scope == Scope::Block) { // the write narrows its fence, which other writes share
    if (!state.of_block)
      return {};
    Fence narrow{.clock = state.of_block->clock, .epoch = state.of_block->epoch};
    return {release_of(thread, narrow, Scope::Block)};
  }
  Releases releases;
  if (state.of_device)
    releases.push_back(release_of(thread, *state.of_device, Scope::Device));
  if (state.of_block && (!state.of_device || state.of_block->epoch > state.of_device->epoch))
    releases.push_back(release_of(thread, *state.of_block, Scope::Block));
  // Fences of others, unless the thread's own one includes them.
  const SharedClock clock = clock_of(thread);
  const bool included = clock && state.of_device && state.of_device->clock &&
                        state.of_device->clock->fenced == clock->fenced;
  if (clock && clock->fenced && !included)
    releases.push_back(clock->fenced);
  return releases;
}

std::shared_ptr<const RaceOrder::Release> RaceOrder::merged(const Releases& releases) {
  auto all = std::make_shared<Clock>();
  for (const auto& release : releases)
    all->join(*release->clock);
  return std::make_shared<Release>(
      Release{.clock = std::move(all),
              .group = releases.front()->group,
              .sequential = std::ranges::all_of(releases, &Release::sequential),
              .by_barrier = std::ranges::any_of(releases, &Release::by_barrier)});
}

void RaceOrder::access(Thread thread, std::uint64_t place, const Strong& what,
                       std::uint64_t epoch) {
  State& state = threads_[thread];
  Releases& there = places_[place].releases;
  if (what.reads && what.acquires) {
    Releases left;
    join(thread, there, what.scope, false, left);
  }
  if (what.reads) {
    for (const auto& release : there)
      if ((what.scope == Scope::Device ||
           (!release->by_barrier && release->group == group_of(thread))) &&
          std::ranges::find(state.seen, release) == state.seen.end())
        state.seen.push_back(release);
    hear(state, places_[place], what);
  }
  if (!what.writes)
    return;
  tell(thread, state, places_[place], what, epoch);
  const Releases mine = releases_of(thread, state, what, epoch);
  if (!what.reads) { // an update keeps earlier releases
    there = mine;
    return;
  }
  for (const auto& release : mine)
    if (std::ranges::find(there, release) == there.end())
      there.push_back(release);
  if (there.size() <= kMostReleases ||
      std::ranges::any_of(there, [](const auto& one) { return one->scope == Scope::Block; }))
    return;
  Releases by_barrier;
  std::erase_if(there, [&](const auto& one) {
    if (one->by_barrier)
      by_barrier.push_back(one);
    return one->by_barrier;
  });
  for (Releases* const some : {&there, &by_barrier})
    if (some->size() > 1)
      *some = {merged(*some)};
  there.insert(there.end(), by_barrier.begin(), by_barrier.end());
}

void RaceOrder::acquire(Thread thread, std::uint64_t place) {
  const auto found = places_.find(place);
  Releases left;
  if (found != places_.end())
    join(thread, found->second.releases, Scope::Device, false, left);
}

// An arrival after a thread has waited: the barrier begins anew.
void RaceOrder::arrive(Thread thread, std::uint64_t place, std::uint64_t phase,
                       std::uint64_t epoch) {
  std::map<std::uint64_t, Phase>& phases = phases_[place];
  if (phases.size() == kMostPhases && !phases.contains(phase))
    phases.erase(phases.begin());
  Phase& there = phases[phase];
  if (there.all)
    there = {};
  const SharedClock clock = clock_of(thread);
  there.meeting.add(clock);
  if (const auto state = threads_.find(thread); state != threads_.end())
    there.meeting.add(thread, state->second);
  there.arrivals.emplace_back(thread, epoch);
  if (clock && (there.clocks.empty() || there.clocks.back() != clock))
    there.clocks.push_back(clock);
}

void RaceOrder::forget(std::uint64_t place, std::uint64_t phase) {
  if (const auto phases = phases_.find(place); phases != phases_.end())
    phases->second.erase(phase);
}

void RaceOrder::wait(Thread thread, std::uint64_t place, std::uint64_t phase) {
  const auto phases = phases_.find(place);
  if (phases == phases_.end() || !phases->second.contains(phase))
    return;
  Phase& there = phases->second.at(phase);
  if (!there.all) {
    const std::shared_ptr<Clock> all = there.meeting.clock();
    for (const auto& [arrived, epoch] : there.arrivals)
      raise(all->threads, arrived, epoch);
    there.all = all;
  }
  const SharedClock mine = clock_of(thread);
  if (!mine || std::ranges::find(there.clocks, mine) != there.clocks.end()) {
    threads_[thread].clock = there.all;
    return;
  }
  Meeting meeting;
  meeting.add(mine);
  meeting.add(there.all);
  threads_[thread].clock = meeting.clock();
}

// What a strong read sees.
void RaceOrder::hear(State& state, const Place& place, const Strong& what) {
  for (const Message& message : place.messages) {
    auto heard = std::ranges::find_if(state.heard, [&](const Heard& one) {
      return one.message.writer == message.writer && one.message.epoch == message.epoch;
    });
    if (heard == state.heard.end()) {
      if (state.heard.size() == kMostHeard)
        state.heard.erase(state.heard.begin());
      state.heard.push_back({.message = message, .of_block = what.scope == Scope::Block});
      heard = std::prev(state.heard.end());
    }
    if (what.acquires && heard->acquired != Scope::Device)
      heard->acquired = what.scope;
  }
}

void RaceOrder::acquire_heard(State& state, Scope scope) {
  for (Heard& heard : state.heard)
    if (heard.acquired != Scope::Device)
      heard.acquired = heard.of_block ? Scope::Block : scope;
}

void RaceOrder::tell(Thread thread, const State& state, Place& place, const Strong& what,
                     std::uint64_t epoch) {
  Message message{.writer = thread, .epoch = epoch};
  message.of_block = what.releases ? epoch : state.of_block ? state.of_block->epoch : 0;
  if (what.scope == Scope::Device)
    message.of_device = what.releases ? epoch : state.of_device ? state.of_device->epoch : 0;
  if (!what.reads) // an update keeps earlier ones
    place.messages.clear();
  else if (place.messages.size() == kMostMessages)
    place.messages.erase(place.messages.begin());
  place.messages.push_back(message);
}

void RaceOrder::barrier(std::uint64_t group, std::uint64_t epoch) {
  SharedClock& common = groups_[group];
  Meeting meeting;
  meeting.add(common);
  for (auto thread = threads_.lower_bound(thread_of(group, 0));
       thread != threads_.end() && group_of(thread->first) == group; ++thread) {
    meeting.add(std::exchange(thread->second.clock, nullptr));
    meeting.add(thread->first, thread->second);
  }
  std::shared_ptr<Clock> all = meeting.clock();
  raise(all->groups, group, epoch);
  common = std::move(all);
}

void RaceOrder::meet(const std::vector<Thread>& threads, std::uint64_t epoch) {
  Meeting meeting;
  for (const Thread thread : threads) {
    meeting.add(clock_of(thread));
    if (const auto state = threads_.find(thread); state != threads_.end())
      meeting.add(thread, state->second);
  }
  std::shared_ptr<Clock> all = meeting.clock();
  for (const Thread thread : threads)
    raise(all->threads, thread, epoch);
  for (const Thread thread : threads)
    threads_[thread].clock = all;
}

bool RaceOrder::knows(Thread thread, Thread other, std::uint64_t epoch) const {
  const SharedClock clock = clock_of(thread);
  return clock && clock->knows(other, epoch);
}

bool RaceOrder::releases(std::uint64_t place, std::uint64_t group, Thread thread,
                         std::uint64_t epoch) const {
  const auto found = places_.find(place);
  return found != places_.end() &&
         std::ranges::any_of(found->second.releases, [&](const auto& release) {
           return (release->scope == Scope::Device || release->group == group) &&
                  release->clock->knows(thread, epoch);
         });
}

std::optional<RaceOrder::Told> RaceOrder::told(Thread thread, Thread other,
                                               std::uint64_t epoch) const {
  const auto state = threads_.find(thread);
  if (state == threads_.end())
    return std::nullopt;
  const auto rank = [](const std::optional<Scope>& scope) {
    return !scope ? 0 : scope == Scope::Block ? 1 : 2;
  };
  std::optional<Told> best;
  const auto look_at = [&](const Told& told) {
    if (!best ||
        rank(told.released) + rank(told.acquired) > rank(best->released) + rank(best->acquired))
      best = told;
  };
  for (const Heard& heard : state->second.heard)
    if (const Message& message = heard.message; message.writer == other && epoch < message.epoch)
      look_at({.released = epoch < message.of_device  ? std::optional(Scope::Device)
                           : epoch < message.of_block ? std::optional(Scope::Block)
                                                      : std::nullopt,
               .acquired = heard.acquired});
  if (!best) // by way of others
    for (const auto& release : state->second.seen)
      if (release->clock->knows(other, epoch))
        look_at({.released = release->scope, .acquired = std::nullopt});
  return best;
}

} // namespace gputest::simulator
