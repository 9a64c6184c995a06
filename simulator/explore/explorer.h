// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores all inequivalent interleavings by stateless search with dynamic partial-order reduction
// (Flanagan, Godefroid: Dynamic Partial-Order Reduction for Model Checking Software, POPL 2005). It
// uses source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order
// Reduction, POPL 2014, algorithm 1). Interleavings are equivalent if all dependent visits have the
// same order; exactly one of each class runs to its end.
#pragma once

#include "simulator/wire.h"
#include "templates/simulator/context.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gputest::simulator {

// Whether the order of two adjacent visits can matter.
bool dependent(const gputest_visit& first, const gputest_visit& second);

// The system to explore: processes that share memory only through visits. A process's behaviour
// depends only on its visits.
class Interleaved {
public:
  virtual ~Interleaved() = default;
  virtual std::size_t processes() const = 0;

  // Restores the initial state, with each process before its first visit.
  virtual void restart() = 0;
  // Returns the process's next visit. Null: it has ended or waits for others.
  virtual const gputest_visit* next(std::size_t process) const = 0;

  // Processes [first, second) have met: everything they did is ordered before what they do next.
  using Met = std::pair<std::size_t, std::size_t>;
  // Makes the process's next visit and runs it to the visit after.
  virtual std::optional<Met> step(std::size_t process) = 0;

  // To be called when no process can go on. Returns a number for the result of the interleaving;
  // equal results have equal numbers, and others different ones.
  virtual std::size_t outcome() = 0;
};

// `count` consecutive visits of `process`.
struct Turn {
  std::uint32_t process = 0, count = 0;
  bool operator==(const Turn&) const = default;
};

struct ExplorationBounds {
  std::uint64_t interleavings = 100'000;
  double seconds = 0;           // checked between interleavings; 0: no limit
  std::uint64_t more = 0;       // visits explored after outcomes have differed; 0: no limit
  std::size_t visits = 100'000; // of one interleaving
};

// Two unordered visits whose order changes the outcome.
struct DecidingPair {
  struct End {
    std::size_t process = 0;
    gputest_visit visit{};
  };
  End first, second;                 // from the interleaving with outcome `before`
  std::size_t before = 0, after = 0; // outcomes with this order and with the other order
};

struct Exploration {
  using End = wire::Explored::End; // Visits: process `longest` makes most of them
  End end = End::Exhausted;
  std::uint64_t interleavings = 0; // inequivalent ones that ran to their end
  std::size_t longest = 0;
  gputest_visit last{};                     // the last visit of `longest`
  std::size_t outcomes = 0;                 // the number of different outcomes
  std::vector<std::vector<Turn>> schedules; // by outcome: that of the first interleaving with it;
                                            // at most kMostOutcomes
  std::vector<DecidingPair> pairs;          // for these outcomes; one for each two sites
  static constexpr std::size_t kMostOutcomes = 64;
};

// Explores `what`. In the first interleaving, the lowest process that can go on always does so
// until it cannot. Outcomes are numbered from 0 in the order in which they occur.
Exploration explore(Interleaved& what, const ExplorationBounds& bounds);

// Runs one interleaving: `turns`, then as the first one of explore(). The rest of a turn is skipped
// if its process cannot go on, because a changed kernel has other visits. Returns false if it does
// not end within `visits` visits.
bool replay(Interleaved& what, const std::vector<Turn>& turns, std::size_t visits);

} // namespace gputest::simulator
