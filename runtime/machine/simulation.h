// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the simulator runs launches, and what it finds; docs/simulator.md.
#pragma once

#include "model/checks/finding.h"
#include "model/schedules/schedule.h"
#include "simulator/service/protocol.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct Simulation {
  model::Order groups{}, items{};
  // If given, work-items of all groups run at the same time and are switched at these turns. Orders
  // and checks do not count then.
  std::optional<std::vector<model::Turn>> turns{};
  std::vector<std::string> checks{}; // "races", "barriers", …; empty: no checks
  double limit = 0;                  // seconds for a launch; 0: no limit
  // true: a repetition of the launch before it. Variables of the program keep their values from
  // before, and what it prints is dropped.
  bool trial = false;
  bool accesses = false; // launches tell which bytes they access (LaunchOutcome); needs races
};

// Code of the host: its line or, without debug information, its function.
struct HostPlace {
  model::CodePlace place{}; // line 0: not known
  std::string function{};   // "main+0x1c"; empty: not known
};

// How a program's launches run in the simulator instead of on its devices.
struct SimulatedProgram {
  std::filesystem::path simulator; // path of gputest-simulator
  Simulation simulation;
};

// Convert from and to what a run folder says: checks, orders and limit. from_json throws
// model::FormatError, nlohmann::json::exception.
void to_json(nlohmann::ordered_json& json, const SimulatedProgram& simulated);
void from_json(const nlohmann::ordered_json& json, SimulatedProgram& simulated);

// Returns the order that a word names: "ascending", "descending" or "random" (by `seed`). Throws
// UsageError for other words. `option` is where the word stands, for messages.
model::Order order_named(const std::string& word, std::uint64_t seed, const std::string& option);

// Where a case leaves the local size open, schedules choose one of up to this many work-items.
constexpr std::size_t kSimulatedLocalSize = 64;

// The name of the check that runs every interleaving, which is for small cases.
constexpr const char* kInterleavings = "interleavings";

// The name of the check that runs a case with each size of sub-groups.
constexpr const char* kSubGroupSizes = "sub_group_sizes";

// How far interleavings are explored.
using ExplorationBounds = simulator::wire::Bounds;

using Exploration = simulator::wire::Explored;

} // namespace gputest::runtime
