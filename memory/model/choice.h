// Which warp goes on where one has to wait and several are ready: a schedule.
#pragma once

#include "memory/model/guide.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gputest::memory {

struct WarpChoice {
  enum class Kind {
    RoundRobin,
    Oldest,
    Random,
    Priorities, // warps have priorities, drawn from the seed
    Guided,     // the one that does others most harm (guide.h); of equal ones at random
    Phases,     // one of these after the other
    Listed
  };
  // From a choice on, of all that the launch makes; the first begins with 0.
  struct Phase {
    std::uint64_t begin = 0;
    Kind kind = Kind::Random;
    std::uint64_t seed = 1;
  };

  Kind kind = Kind::RoundRobin;
  std::uint64_t seed = 1;              // Random, Priorities, Guided
  std::vector<std::uint32_t> listed{}; // Listed: RunCount::choices of an earlier run
  std::vector<Phase> phases{};         // Phases: of none of the last two kinds
};

// "round-robin", "oldest", "random", "priorities", "guided". Throws model::FormatError for other
// words. name_of() has "phases" and "listed", too.
WarpChoice::Kind choice_named(const std::string& name);
constexpr const char* kPhases = "phases";
const char* name_of(WarpChoice::Kind kind);

// A warp that is ready, or waits for data or at a barrier.
struct ChoosableWarp {
  std::uint32_t number = 0;  // in the trace
  std::uint32_t arrival = 0; // those that came to the scheduler earlier have a smaller one
  const WarpReader* reader = nullptr;
  Guide::Where where{};
};

class Chooser {
public:
  // `guide` is of the same launch.
  Chooser(const WarpChoice& choice, Guide guide);

  // Whether `waiting` of the next choice is looked at.
  bool looks_at_waiting() const { return now().kind == WarpChoice::Kind::Guided; }

  // Index in `ready`, of two warps at least, beginning with the next in turn. kNone: a list has
  // none of them.
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t choose(std::span<const ChoosableWarp> ready, std::span<const ChoosableWarp> waiting,
                     Cycles at);

  std::uint64_t choices() const { return choices_; } // that were made
  bool ended() const; // a list has no more, and everything else always has ended

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
