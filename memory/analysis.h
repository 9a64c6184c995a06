// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Analyses a case's trace on a GPU: where its time goes, why, and what would help.
#pragma once

#include "memory/model/machine.h"
#include "memory/model/trace.h"
#include "memory/static/classify.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::memory {

// The references at one place of the source, taken together. Unrolled loops, inlined calls and
// vectors make several references of one place.
struct PlaceCount {
  Reference reference;       // the first one
  std::string variable;      // "odata"; empty: known only when the kernel runs
  bool on_chip = false;      // __local memory with banks
  bool constant = false;     // read through the cache for constants
  bool own = false;          // a private array in memory
  bool in_registers = false; // a private array that is not: no accesses
  bool image = false;
  ReferenceCount count;
  // Results of the static analysis of single work-items (classify.h).
  Certainty alone = Certainty::NotRun;
  bool faces_conflict = false, address_unknown = false, chosen_by_data = false;

  // Returns the bytes between neighbouring work-items in most executions; nullopt: there were none.
  std::optional<std::int64_t> stride() const;
};

// The model's result with another layout or another local size.
struct WhatIf {
  LayoutChange change;
  bool locked = false;                     // the variable is locked in the cache
  std::size_t bank_bytes = 0;              // bytes of a DRAM bank; 0: unchanged
  bool in_registers = false;               // the private array takes no memory
  bool as_global = false;                  // the constants are read like global memory
  std::array<std::size_t, 3> local_size{}; // zeros: unchanged
  bool in_tiles = false;          // work-groups load the variable into local memory, tile by tile
  std::size_t neighbours = 1;     // that a work-item does the work of
  std::string variable{}, text{}; // "'odata' moved by 64 bytes"
  Cycles cycles = 0;
  double gain_percent = 0; // percent of the present cycles; negative: it takes longer
};

struct InterferenceCount {
  std::size_t place = 0, evictor = 0; // indices in the report's places: the owner of the line, and
                                      // who evicted it
  Interference count;
};

struct Warning {
  enum class Kind {
    Transactions,
    BankConflicts,
    Interference,
    Reloads,
    BusyBanks,
    Constants, // several addresses of __constant memory at a time
    Spilled    // a private array is in memory
  };
  Kind kind = Kind::Transactions;
  std::size_t place = 0; // index in the report's places
  std::string message{}, because{};
  std::vector<std::size_t> what_ifs{}; // indices in the report's
};

struct CaseReport {
  std::string name; // of the case
  WarpChoice choice{};
  std::size_t schedules_tried = 1;     // the report is of the one that loses most
  std::string replay{};                // a file (replay.h); or ""
  std::optional<std::string> before{}; // the kernel of LaunchTrace::before
  RunCount count;
  std::vector<PlaceCount> places;    // in the order of the source
  std::vector<std::size_t> place_of; // by reference: index in `places`
  // The cycles if no warp lost a line to another one.
  Cycles alone = 0;
  std::string condition{};                        // generated cases: on inputs
  std::string case_file{};                        // generated cases: in the replay's folder
  std::vector<InterferenceCount> interferences{}; // those with most waiting first
  std::vector<WhatIf> what_ifs{};                 // those that save at least 1 % of the cycles
  std::vector<std::size_t> hints{};               // of these: those that no warning calls for
  std::vector<Warning> warnings{};
  std::size_t local_sizes_tried = 0; // other sizes with which the kernel ends well

  // The percentage of the cycles that the launch loses because warps disturb each other
  // (model/monitor.h).
  double overhead_percent() const;
};

// Returns RunSettings::sure_hits. `items_of_group`: work-items of a full group. Returns zeros if
// some groups are smaller.
std::vector<std::uint8_t> sure_hits_of(const StaticReport& found, const LaunchTrace& trace,
                                       std::size_t items_of_group);

// Runs the model with and without changes and makes the report. `sure_hits`: from sure_hits_of();
// empty: nothing is known. Throws what run() throws.
CaseReport analyse(const Gpu& gpu, const LaunchTrace& trace, const std::string& name,
                   const WarpChoice& choice, std::span<const std::uint8_t> sure_hits = {});

// Adds the results of the static analysis to the report's places.
void add_static(CaseReport& report, const StaticReport& found);

// Counts references that may wait for memory. References that always hit and those of on-chip
// memory do not count.
struct ReferenceCoverage {
  std::size_t explored = 0, total = 0; // explored: executed in some case
};

// `cases`: reports of one kernel after add_static(). `run`: by reference, whether it was executed
// elsewhere.
ReferenceCoverage coverage_of(const std::vector<CaseReport>& cases,
                              const std::vector<bool>& run = {});

} // namespace gputest::memory
