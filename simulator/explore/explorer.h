// All interleavings of a launch that can differ: stateless search with dynamic partial-order
// reduction. Flanagan, Godefroid: Dynamic Partial-Order Reduction for Model Checking Software, POPL
// 2005; here with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic
// Partial Order Reduction, POPL 2014, algorithm 1), so that of interleavings in which every two
// dependent visits have the same order exactly one is run to its end.
#pragma once

#include "templates/simulator/context.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gputest::simulator {

// One after the other, is the result the same whichever comes first?
bool dependent(const gputest_visit& first, const gputest_visit& second);

// What is explored: processes that run by themselves but for visits of what they share. Whatever a
// process does depends on its visits alone.
class Interleaved {
public:
  virtual ~Interleaved() = default;
  virtual std::size_t processes() const = 0;

  // Everything is as in the beginning, and each process is before its first visit.
  virtual void restart() = 0;
  // Null: it has ended, or waits for others.
  virtual const gputest_visit* next(std::size_t process) const = 0;

  // Processes [first, second) have met: whatever they did is ordered before what they do now.
  using Met = std::pair<std::size_t, std::size_t>;
  // Makes the next visit of `process`, and goes on to the one after.
  virtual std::optional<Met> step(std::size_t process) = 0;

  // No process goes on: what this interleaving left, as a number. Equal if and only if the same.
  virtual std::size_t outcome() = 0;
};

// `count` visits of `process`, one after the other.
struct Turn {
  std::uint32_t process = 0, count = 0;
  bool operator==(const Turn&) const = default;
};

struct ExplorationBounds {
  std::uint64_t interleavings = 100'000;
  double seconds = 0;           // looked at between interleavings; 0: any
  std::uint64_t more = 0;       // visits explored after another outcome was seen; 0: any
  std::size_t visits = 100'000; // of one interleaving
};

// Two visits that nothing orders, and what becomes of it.
struct DecidingPair {
  struct End {
    std::size_t process = 0;
    gputest_visit visit{};
  };
  End first, second;                 // as they were in the interleaving that left `before`
  std::size_t before = 0, after = 0; // outcomes: with the pair in this order, and the other way
};

struct Exploration {
  enum class End {
    Exhausted, // every interleaving leaves what one of those run has left
    Interleavings,
    Seconds,
    Visits // one has more visits than the bound: `longest` makes most of them
  };
  End end = End::Exhausted;
  std::uint64_t interleavings = 0; // inequivalent ones, run to their end
  std::size_t longest = 0;
  gputest_visit last{};                     // of `longest`
  std::size_t outcomes = 0;                 // different ones
  std::vector<std::vector<Turn>> schedules; // by outcome: of the first that left it; kMostOutcomes
  std::vector<DecidingPair> pairs;          // of those outcomes; of the same two sites one
  static constexpr std::size_t kMostOutcomes = 64;
};

// The first interleaving is the one in which the lowest process that can go on does so until it
// cannot. Outcomes are numbered in the order in which they are seen, from 0.
Exploration explore(Interleaved& what, const ExplorationBounds& bounds);

// One interleaving: `turns`, then as explore()'s first. Of a turn of a process that cannot go on
// the rest is left out: kernels that were changed have other visits. False: there is no end within
// `visits`.
bool replay(Interleaved& what, const std::vector<Turn>& turns, std::size_t visits);

} // namespace gputest::simulator
