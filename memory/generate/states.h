// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions that warps could have taken otherwise, which generation tries next.
//
// The k-th decisions of a warp's work-items are one decision of the warp (Chattopadhyay, Eles and
// Peng, EMSOFT 2014, algorithm 2). ψi says that the i-th decision of each work-item goes as in the
// run. Then ψ1 ∧ … ∧ ψ(k-1) ∧ ¬ψk is a new state.
#pragma once

#include "memory/generate/reach.h"
#include "testgen/concolic/trace.h"
#include "testgen/inputs/random.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace gputest::memory {

// The decisions of one run by work-item.
struct Paths {
  std::shared_ptr<const testgen::Traced> traced;
  // decisions[warp][work-item of the warp][number]: the index in traced->events.
  std::vector<std::vector<std::vector<std::size_t>>> decisions;
};

// `items_of_group` and `warp_size` determine which work-items are a warp.
Paths paths_of(std::shared_ptr<const testgen::Traced> traced, std::size_t items_of_group,
               std::size_t groups, std::size_t warp_size);

struct State {
  std::shared_ptr<const Paths> paths;
  std::size_t warp = 0, number = 0; // the warp's decision to change
  std::size_t event = 0;            // the work-item's decision that goes another way
  Promise promise{};
  // A hash of the run's decisions; equal states have equal keys.
  std::uint64_t key = 0;
};

class States {
public:
  States(const Reach& reach, std::uint64_t seed) : reach_(reach), random_(seed) {}

  // Adds the states of a run that have not been seen.
  void add(const std::shared_ptr<const Paths>& paths);
  bool empty() const { return states_.empty(); }
  std::size_t size() const { return states_.size(); }
  // Removes the best state or a random one and returns it; each is tried once.
  State take(bool best);
  // Returns one state of each other warp of the same run: the best of each, best first, or random
  // ones in random order.
  std::vector<State> others(const State& state, bool best);
  void remove(const State& state);
  // The number of different states so far.
  std::size_t seen() const { return keys_.size(); }

  // prefix_of() returns what must hold besides, and turned() that the event goes another way:
  // labels of `table`, a copy of the run's.
  static std::vector<testgen::Label> prefix_of(const State& state, testgen::Table& table);
  static testgen::Label turned(const State& state, testgen::Table& table);

private:
  static constexpr std::size_t kMostStates = 1 << 14, kMostOfRun = 1 << 11;

  const Reach& reach_;
  testgen::Random random_;
  std::vector<State> states_;
  std::set<std::uint64_t> keys_;
};

} // namespace gputest::memory
