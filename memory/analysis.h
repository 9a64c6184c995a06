// What a case's trace shows on a GPU: where its time goes, why, and what would help.
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

// What the references at one place of the source do together: loops, calls from several places and
// vectors make several of one.
struct PlaceCount {
  Reference reference;  // the first of them
  std::string variable; // "odata"; empty: it shows when the kernel runs
  bool on_chip = false; // __local memory with banks
  ReferenceCount count;
  // What is known before the kernel runs, each work-item by itself (classify.h).
  Certainty alone = Certainty::NotRun;
  bool faces_conflict = false, address_unknown = false;

  // Bytes between neighbouring work-items, as most executions have it.
  std::optional<std::int64_t> stride() const;
};

// The model's answer for another layout, or another local size.
struct WhatIf {
  LayoutChange change;
  bool locked = false;                     // the variable, in the cache
  std::size_t bank_bytes = 0;              // of DRAM; 0: as they are
  std::array<std::size_t, 3> local_size{}; // zeros: as it is
  std::string variable{}, text{};          // "'odata' moved by 64 bytes"
  Cycles cycles = 0;
  double gain_percent = 0; // of the cycles as it is; negative: it takes longer
};

struct InterferenceCount {
  std::size_t place = 0, evictor = 0; // in the report's places: whose line it was, and who took it
  Interference count;
};

struct Warning {
  enum class Kind { Transactions, BankConflicts, Interference, Reloads, BusyBanks };
  Kind kind = Kind::Transactions;
  std::size_t place = 0; // in the report's places
  std::string message{}, because{};
  std::vector<std::size_t> what_ifs{}; // in the report's
};

struct CaseReport {
  std::string name; // of the case
  WarpChoice choice{};
  std::size_t schedules_tried = 1; // of which this one loses most
  std::string replay{};            // a file (replay.h); empty: there is none
  RunCount count;
  std::vector<PlaceCount> places;    // as the source has them
  std::vector<std::size_t> place_of; // by reference
  // Cycles if no warp lost a line to another one.
  Cycles alone = 0;
  std::string condition{};                        // on inputs, of generated cases
  std::string case_file{};                        // of generated cases, beside the replay
  std::vector<InterferenceCount> interferences{}; // the most waiting first
  std::vector<WhatIf> what_ifs{};                 // that change at least 1 % of the cycles
  std::vector<Warning> warnings{};
  std::size_t local_sizes_tried = 0; // other ones, with which the kernel ends well

  // What the launch loses because warps disturb each other (model/monitor.h), of its cycles.
  double overhead_percent() const;
};

// RunSettings::sure_hits. `items_of_group`: work-items of a full group.
std::vector<std::uint8_t> sure_hits_of(const StaticReport& found, const LaunchTrace& trace,
                                       std::size_t items_of_group);

// `sure_hits`: as sure_hits_of() gives them; empty: nothing is known. Throws what run() throws.
CaseReport analyse(const Gpu& gpu, const LaunchTrace& trace, const std::string& name,
                   const WarpChoice& choice, std::span<const std::uint8_t> sure_hits = {});

// Says of the places what the static analysis found of their references.
void add_static(CaseReport& report, const StaticReport& found);

// References that may wait for memory: not those that always hit whatever others do, nor those of
// on-chip memory.
struct ReferenceCoverage {
  std::size_t explored = 0, total = 0; // explored: run in some case
};

// `cases`: of one kernel, with add_static() done. `run`: references that were run elsewhere.
ReferenceCoverage coverage_of(const std::vector<CaseReport>& cases,
                              const std::vector<bool>& run = {});

} // namespace gputest::memory
