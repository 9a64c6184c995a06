// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/states.h"

#include <algorithm>
#include <map>

namespace gputest::memory {
namespace {

using testgen::Event;
using testgen::Label;
using testgen::Table;
using testgen::Traced;
using testgen::TracedSite;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

Label went(const Event& event, Table& table) {
  return event.value != 0 ? event.label : table.negation(event.label);
}

} // namespace

Paths paths_of(std::shared_ptr<const Traced> traced, std::size_t items_of_group, std::size_t groups,
               std::size_t warp_size) {
  const std::size_t warps_of_group = (items_of_group + warp_size - 1) / warp_size;
  Paths paths{.traced = std::move(traced), .decisions = {}};
  paths.decisions.resize(warps_of_group * groups);
  for (auto& warp : paths.decisions)
    warp.resize(warp_size);
  for (std::size_t i = 0; i < paths.traced->events.size(); ++i) {
    const Event& event = paths.traced->events[i];
    const TracedSite& site = (*paths.traced->sites)[event.site];
    if (site.kind != TracedSite::Kind::Branch || site.library || event.label == 0)
      continue;
    const std::size_t group = event.item / items_of_group, within = event.item % items_of_group;
    const std::size_t warp = group * warps_of_group + within / warp_size;
    if (warp < paths.decisions.size())
      paths.decisions[warp][within % warp_size].push_back(i);
  }
  return paths;
}

void States::add(const std::shared_ptr<const Paths>& paths) {
  const Traced& traced = *paths->traced;
  std::vector<State> found;
  for (std::size_t warp = 0; warp < paths->decisions.size(); ++warp) {
    const auto& items = paths->decisions[warp];
    std::size_t most = 0;
    for (const auto& item : items)
      most = std::max(most, item.size());
    std::uint64_t key = mixed(0, warp);
    for (std::size_t number = 0; number < most; ++number) {
      State state{.paths = paths, .warp = warp, .number = number, .key = mixed(key, number)};
      std::vector<std::size_t> events;
      for (std::size_t item = 0; item < items.size(); ++item)
        if (number < items[item].size()) {
          const Event& event = traced.events[items[item][number]];
          const TracedSite& site = (*traced.sites)[event.site];
          const Promise promise =
              reach_.of(site.place.file, site.place.line, site.place.column, event.value == 0);
          state.promise.conflicts += promise.conflicts;
          state.promise.misses += promise.misses;
          events.push_back(items[item][number]);
          key = mixed(key, (item << 32 | event.site) << 1 | (event.value != 0));
        }
      state.event = events[random_.below(events.size())];
      if (!keys_.contains(state.key))
        found.push_back(std::move(state));
    }
  }
  // If there are more states than can be tried, keeps the best.
  std::ranges::stable_sort(found, std::greater{}, &State::promise);
  if (found.size() > kMostOfRun)
    found.resize(kMostOfRun);
  for (State& state : found)
    if (states_.size() < kMostStates && keys_.insert(state.key).second)
      states_.push_back(std::move(state));
}

State States::take(bool best) {
  // Chooses at random among equals, because states of one warp are similar.
  std::size_t at = random_.below(states_.size());
  if (best)
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (states_[i].promise > states_[at].promise)
        at = i;
  State state = std::move(states_[at]);
  states_[at] = std::move(states_.back());
  states_.pop_back();
  return state;
}

std::vector<State> States::others(const State& state, bool best) {
  struct Known {
    const State* state = nullptr;
    std::size_t seen = 0;
  };
  std::map<std::size_t, Known> by_warp;
  for (const State& other : states_)
    if (other.paths == state.paths && other.warp != state.warp) {
      Known& known = by_warp[other.warp];
      ++known.seen;
      if (!known.state ||
          (best ? other.promise > known.state->promise : random_.below(known.seen) == 0))
        known.state = &other;
    }
  std::vector<State> result;
  for (const auto& [warp, known] : by_warp)
    result.push_back(*known.state);
  if (best)
    std::ranges::stable_sort(result, std::greater{}, &State::promise);
  else
    for (std::size_t i = result.size(); i > 1; --i)
      std::swap(result[i - 1], result[random_.below(i)]);
  return result;
}

void States::remove(const State& state) {
  std::erase_if(states_, [&](const State& other) { return other.key == state.key; });
}

std::vector<Label> States::prefix_of(const State& state, Table& table) {
  std::vector<Label> conditions;
  const Traced& traced = *state.paths->traced;
  for (const auto& item : state.paths->decisions[state.warp])
    for (std::size_t number = 0; number < std::min(state.number, item.size()); ++number)
      conditions.push_back(went(traced.events[item[number]], table));
  std::ranges::sort(conditions);
  conditions.erase(std::ranges::unique(conditions).begin(), conditions.end());
  std::erase(conditions, Label{0});
  return conditions;
}

Label States::turned(const State& state, Table& table) {
  return table.negation(went(state.paths->traced->events[state.event], table));
}

} // namespace gputest::memory
