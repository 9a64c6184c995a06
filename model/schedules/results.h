// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of running one kernel under schedules: schedules.json (docs/reference/formats.md).
#pragma once

#include "model/sites.h"

#include <cstdint>

namespace gputest::model {

inline constexpr const char* kSchedulesFormat = "gputest-schedules-1";

enum class FindingKind {
  BetweenGroups, // outputs depend on the order of work-groups, though nothing overlaps
  Overlapping,   // outputs depend on which work-groups run at the same time
  WithinGroups,  // outputs depend on the order of the work-items of a group
  Waits,         // a work-item waits for a work-item of a group that has not run
  OutOfBounds,   // a write past the end of a buffer, under some orders
  Crash,         // the process dies, under some orders
  Timeout,       // a launch does not end, under some orders
  Interleaving,  // outputs depend on where work-items were switched
  InvalidCase    // the case itself is at fault; this says nothing about the kernel
};
constexpr auto names_of(FindingKind) {
  return std::to_array<std::string_view>({"between groups", "overlapping groups", "within groups",
                                          "waits", "out of bounds", "crash", "timeout",
                                          "interleaving", "invalid case"});
}

struct DifferingElement {
  std::uint64_t index = 0;
  std::string path;                // within the element: "", ".s2", ".position.s0"
  std::string launched, scheduled; // values as text
  bool operator==(const DifferingElement&) const = default;
};

struct ScheduleFinding {
  FindingKind kind = FindingKind::BetweenGroups;
  std::string message; // for people: what happened, and what it shows
  std::string buffer;  // the first argument that differs; empty: none
  std::uint64_t differing = 0, compared = 0;
  std::vector<DifferingElement> elements; // the first few
  std::string order; // "serial, groups listed"; what is not named is as launched
  // Linear ids of the fewest groups or items that must change places to show it, in their order.
  // Empty: not shrunk.
  std::vector<std::uint32_t> groups, items;
  std::string file; // the schedule's file, relative to schedules.json; empty: none
  // Waits: the loop. InvalidCase: the access. 0: none.
  std::string place_file, place_text;
  unsigned line = 0, column = 0;
  bool operator==(const ScheduleFinding&) const = default;
};

// What became of a case under all orders; a worse verdict is a greater one.
enum class ScheduleVerdict {
  Held,
  WithinTolerance, // outputs differ by less than the tolerance
  OrderDependent,
  InvalidCase,
  Failed, // already as launched: no order is to blame
  Error
};
constexpr auto names_of(ScheduleVerdict) {
  return std::to_array<std::string_view>(
      {"held", "within tolerance", "order dependent", "invalid case", "failed", "error"});
}

struct ScheduledCase {
  std::string name;
  ScheduleVerdict verdict = ScheduleVerdict::Held;
  std::string message;         // Error: what is wrong
  std::uint64_t schedules = 0; // number of schedules tried
  std::uint64_t not_run = 0;   // number of those for which the time limit left no time
  std::uint64_t runs = 0;      // runs of the kernel, including those that explain a finding
  double seconds = 0;
  std::vector<ScheduleFinding> findings;
  bool operator==(const ScheduledCase&) const = default;
};

struct Schedules {
  std::string name;   // gputest_add_kernel(<name> …)
  std::string kernel; // the kernel's name
  std::string device;
  std::string source; // the source file, as the user named it
  std::string strategy;
  unsigned count = 10, repeat = 3;
  std::uint64_t seed = 1;
  std::vector<ScheduledCase> cases;
  std::vector<NotInstrumented> not_remapped; // a kernel with any of them is not tested
  std::vector<std::string> notes;            // what was not done, and why
  std::string content{}; // shards: a hash of what the results belong to; else empty
  bool operator==(const Schedules&) const = default;
};

// Whether no order makes a difference that counts.
bool holds(const ScheduledCase& scheduled);

// Adds to `scheduled` what other orders of the same case showed.
void merge(ScheduledCase& scheduled, const ScheduledCase& part);

// Returns what is run of a strategy, for people: "permute: 10 orders of each case". `count` is the
// n of SCHEDULES n.
std::string strategy_text(const std::string& strategy, std::size_t count);

// Returns "7 orders not run: the time limit was over"; empty: all orders were run.
std::string not_run_text(const Schedules& schedules);

// Convert to and from JSON as in docs/reference/formats.md. Reading throws FormatError, and writing
// throws WriteError.
nlohmann::ordered_json to_json(const Schedules& schedules);
Schedules schedules_from_json(const nlohmann::ordered_json& json);
Schedules read_schedules(const std::filesystem::path& file);
void write_schedules(const Schedules& schedules, const std::filesystem::path& file);
// Returns text for people, indented: what the finding is, what differs, and the command that
// replays it. `folder` is that of schedules.json.
std::string text_of(const ScheduleFinding& finding, const std::filesystem::path& folder);
// Returns "held: small (10 schedules, 35 runs, 0.01 s)", with its findings.
std::string text_of(const ScheduledCase& scheduled, const std::filesystem::path& folder);
// Convert the result of one case and its findings, which a worker sends to its parent.
void to_json(nlohmann::ordered_json& json, const ScheduledCase& scheduled);
void from_json(const nlohmann::ordered_json& json, ScheduledCase& scheduled);
void to_json(nlohmann::ordered_json& json, const ScheduleFinding& finding);
void from_json(const nlohmann::ordered_json& json, ScheduleFinding& finding);

} // namespace gputest::model
