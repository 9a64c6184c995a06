// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches for inputs and schedules of warps with which a kernel loses most cycles to
// interference (Chattopadhyay, Eles and Peng, EMSOFT 2014; docs/memory.md, "Looking for the
// worst").
#pragma once

#include "memory/generate/addresses.h"
#include "memory/generate/inputs.h"
#include "memory/model/machine.h"
#include "memory/trace/tracer.h"
#include "model/memory/results.h"
#include "model/names.h"
#include "testgen/inputs/constraints.h"
#include "testgen/inputs/target.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gputest::memory {

enum class Strategy {
  Guided,         // the most promising paths; inputs and schedules near the worst known
  SymbolicRandom, // random paths by the solver; random schedules
  Random          // random inputs and schedules
};

inline constexpr std::array kStrategies{Strategy::Guided, Strategy::SymbolicRandom,
                                        Strategy::Random};
constexpr auto names_of(Strategy) {
  return std::to_array<std::string_view>({"guided", "symbolic-random", "random"});
}
using model::name_of;
// Throws model::FormatError for other words.
Strategy strategy_named(const std::string& name);

// By what the worst of two cases is known.
enum class WorstBy {
  Cycles, // lost ones
  Share   // of its cycles that a case loses
};
constexpr auto names_of(WorstBy) {
  return std::to_array<std::string_view>({"cycles", "share"});
}

struct GenerateSettings {
  Strategy strategy = Strategy::Guided;
  double seconds = 60;        // of processor time, without compiling and the first run
  std::size_t executions = 0; // the most; 0: no limit
  std::uint64_t seed = 1;
  std::size_t cases = 5; // the most that are kept
  WorstBy worst_by = WorstBy::Cycles;
};

struct FoundCase {
  TracedLaunch launch;
  WarpChoice choice;
  // What the solver solved, or what the input does where addresses and ways are chosen. Empty: a
  // random input.
  std::string condition;
  std::optional<Addresses::Aim>
      aim{}; // guided: what was aimed at, for this input or an earlier one
  Cycles cycles = 0, lost = 0;

  double share() const { return memory::share(lost, cycles); }
  // The larger, the worse.
  double harm(WorstBy by) const {
    return by == WorstBy::Share ? share() : static_cast<double>(lost);
  }
};

struct Generated {
  std::vector<FoundCase> cases{}; // worst first; no two have equal cycles and losses
  std::vector<bool> run{};        // by reference: whether it was executed
  std::vector<model::MemoryProgress> progress{};
  std::size_t executions = 0, states = 0, solved = 0, faulty = 0;
  double seconds = 0;
  std::string note{};       // why no paths were solved; or ""
  std::size_t left_out = 0; // cases at the end for whose reports no time was left
};

// `first`: the launch whose buffers are varied. Throws what tracing it throws.
Generated generate(const ir::Source& source, const testgen::Target& target,
                   const testgen::Constraints& constraints, const Tracer& tracer,
                   const TracedLaunch& first, const Gpu& gpu, const GenerateSettings& settings);

} // namespace gputest::memory
