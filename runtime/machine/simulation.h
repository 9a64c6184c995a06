// How the simulator is to run launches, and what it finds; docs/simulator.md.
#pragma once

#include "model/checks/finding.h"
#include "model/schedules/schedule.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct Simulation {
  model::Order groups{}, items{};
  // Work-items of all groups run at the same time, switched where these say; orders and checks are
  // not looked at then.
  std::optional<std::vector<model::Turn>> turns{};
  std::vector<std::string> checks{}; // "races", "barriers", …; none: the kernel as it is
  double limit = 0;                  // seconds for a launch; 0: any
  bool trial = false;                // variables of the program stay what they were
  std::uint8_t local_fill = 0;       // each byte of __local memory when a group begins
};

// How a program's launches run in the simulator instead of on its devices.
struct SimulatedProgram {
  std::filesystem::path simulator; // gputest-simulator
  Simulation simulation;
};

// What a run folder says of it: checks, orders and limit. from_json throws model::FormatError,
// nlohmann::json::exception.
void to_json(nlohmann::ordered_json& json, const SimulatedProgram& simulated);
void from_json(const nlohmann::ordered_json& json, SimulatedProgram& simulated);

// "ascending", "descending", "random" (by `seed`). Throws UsageError for other words; `option` is
// where it stands.
model::Order order_named(const std::string& word, std::uint64_t seed, const std::string& option);

// Where a case leaves the local size open, it is chosen for schedules up to this.
constexpr std::size_t kSimulatedLocalSize = 64;

// The check that runs every interleaving, which is for small cases.
constexpr const char* kInterleavings = "interleavings";

// How far interleavings are explored.
struct ExplorationBounds {
  std::uint64_t interleavings = 100'000;
  double seconds = 60;
  std::uint64_t more = 0; // accesses explored after outputs were seen to differ; 0: any
};

// What came of it (simulator/service/protocol.h).
struct Exploration {
  struct Dependence {
    model::Finding finding;
    std::size_t before = 0, after = 0; // numbers of schedules
  };
  std::string too_large, end, stopped_at;
  std::uint64_t interleavings = 0, outcomes = 0;
  std::vector<std::vector<model::Turn>> schedules; // that leave different outputs; the first is {}
  std::vector<Dependence> dependences;
  std::vector<model::Finding> findings;
  double seconds = 0;
};

} // namespace gputest::runtime
