// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A schedule: the choice of the next warp when the present one has to wait and several are ready.
#pragma once

#include "memory/model/guide.h"
#include "model/names.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::memory {

struct WarpChoice {
  enum class Kind {
    RoundRobin,
    Oldest,
    Random,
    Priorities, // warps have random priorities
    Guided,     // the warp that harms others most (guide.h); ties are random
    Phases,     // several kinds one after the other
    Listed
  };
  // A kind that is used from choice `begin` of the launch on. The first phase begins with 0.
  struct Phase {
    std::uint64_t begin = 0;
    Kind kind = Kind::Random;
    std::uint64_t seed = 1;
  };

  Kind kind = Kind::RoundRobin;
  std::uint64_t seed = 1;              // Random, Priorities, Guided
  std::vector<std::uint32_t> listed{}; // Listed: RunCount::choices of an earlier run
  std::vector<Phase> phases{};         // Phases: without the last two kinds
};

constexpr auto names_of(WarpChoice::Kind) {
  return std::to_array<std::string_view>(
      {"round-robin", "oldest", "random", "priorities", "guided", "phases", "listed"});
}

// Returns the kind that a user names, which is not Phases or Listed. Throws model::FormatError for
// other words.
WarpChoice::Kind choice_named(const std::string& name);

// A warp that is ready, or that waits for data or at a barrier.
struct ChoosableWarp {
  std::uint32_t number = 0;  // in the trace
  std::uint32_t arrival = 0; // smaller for warps that came to the scheduler earlier
  const WarpReader* reader = nullptr;
  Guide::Where where{};
};

class Chooser {
public:
  // `guide`: of the same launch.
  Chooser(const WarpChoice& choice, Guide guide);

  // Whether the next choose() uses `waiting`.
  bool looks_at_waiting() const { return now().kind == WarpChoice::Kind::Guided; }

  // Returns an index in `ready`, which has at least two warps and begins with the next in turn.
  // kNone: the listed warp is not among them.
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t choose(std::span<const ChoosableWarp> ready, std::span<const ChoosableWarp> waiting,
                     Cycles at);

  std::uint64_t choices() const { return choices_; } // made so far
  bool ended() const; // a list has no more choices; other kinds: always true

private:
  const WarpChoice::Phase& now() const { return phases_[phase_]; }
  std::uint64_t draw();
  std::size_t chosen_now(std::span<const ChoosableWarp> ready,
                         std::span<const ChoosableWarp> waiting, Cycles at);
  std::size_t most_harmful(std::span<const ChoosableWarp> ready,
                           std::span<const ChoosableWarp> waiting, Cycles at);

  std::vector<WarpChoice::Phase> phases_;
  std::span<const std::uint32_t> listed_;
  Guide guide_;
  std::size_t phase_ = 0;
  std::uint64_t choices_ = 0, random_ = 0;
  std::vector<std::size_t> best_;
};

} // namespace gputest::memory
