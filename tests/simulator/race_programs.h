// Random programs of several work-groups with accesses of every kind, and which pairs of their
// accesses nothing orders: the truth about races, by comparing every access with every other.
#pragma once

#include "model/schedules/schedule.h"
#include "tests/simulator/simulated.h"

#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gputest::simulator::tests {

// What one work-item does in one step.
struct RaceOperation {
  enum Kind : int {
    Nothing,
    Read,
    Write,
    VolatileRead,
    VolatileWrite, // OpenCL C 1.2 has no atomic store, and this is none
    Add,           // atomic_add
    Exchange,      // atomic_cmpxchg, which only reads where it fails
    ReadTwo,       // two words
    WriteTwo,
    ReadByte,
    WriteByte,
    ReadBytes, // a loop over `expected` bytes, words, or bytes of which every second is left out
    WriteBytes,
    ReadWords,
    WriteWords,
    ReadBytesDown,
    WriteBytesDown,
    Kinds
  };
  int kind = Nothing;
  int place = 0; // of the first byte; kLocal and more: in local memory
  int value = 0, expected = 0;
  static constexpr int kLocal = 1024;
};

// What a work-group does together before a step.
struct GroupOperation {
  enum Kind : int { Nothing, Barrier, CopyIn, CopyOut, Wait };
  int kind = Nothing;
  int first =
      0; // Barrier: its flags; copies: the first word of local memory; Wait: the copy's step
  int second = 0; // copies: the first word of global memory
  int count = 0;  // copies: words; in global memory there is one word between each two if negative
};

struct RaceProgram {
  // One text of OpenCL C runs all programs of a kind: it reads what to do from a buffer.
  bool atomics = false, bytes = false, copies = false, loops = false;
  std::size_t groups = 1, items = 1, steps = 1;
  std::vector<RaceOperation> operations{}; // by group, work-item and step
  std::vector<GroupOperation> together{};  // by group and step
  Order order{};

  const RaceOperation& operation(std::size_t group, std::size_t item, std::size_t step) const {
    return operations[(group * items + item) * steps + step];
  }
  const GroupOperation& all(std::size_t group, std::size_t step) const {
    return together[group * steps + step];
  }
};

constexpr std::size_t kMostSteps = 5, kWords = 4; // of global and of local memory each

struct RaceKind {
  bool atomics = false, bytes = false, copies = false, loops = false, ordered = false;
};
RaceProgram random_race_program(std::mt19937_64& random, const RaceKind& kind);

// Ready to be run with run_all(); of one kind all have the same text. Lines are those of steps.
Run run_of(const RaceProgram& program);
std::size_t step_of(std::size_t line);

struct RaceTruth {
  std::set<std::pair<std::size_t, std::size_t>> pairs; // of steps; the first is not the larger
  std::set<std::size_t> later; // steps with an access that comes after one that is not ordered
  std::set<std::size_t> never_waited; // steps with copies that nobody waits for
};
RaceTruth races_of(const RaceProgram& program);

std::string text_of(const RaceProgram& program);

} // namespace gputest::simulator::tests
