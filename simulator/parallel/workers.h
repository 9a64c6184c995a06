// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs work-groups in several processes at the same time: this one, and forks of it. What they
// write to shared memory is seen here.
#pragma once

#include "simulator/memory/guard.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator {

// Returns how many processes a launch may use: GPUTEST_SIMULATOR_THREADS if it is a number from 1
// to 4096 (anything else does not count, which is said once); else 1 if CTest has started this
// process, because it runs tests at the same time; else what this process has of the machine's
// cores, by its affinity and its control group's quota.
unsigned simulator_threads();

struct GroupsToRun {
  std::size_t first = 0, end = 0; // numbers of groups
  unsigned processes = 2;         // at most
  double limit = 0;               // seconds of processor time of all processes; 0: no limit
};

// What one process has run.
struct RunPart {
  std::optional<Fault> fault;
  std::size_t group = 0; // of the fault
  std::string said;      // what a fork had to say at its end (`tell`); of this process: ""
};

// Calls `run` with the number of each group. Groups begin in order. After a fault, only those begin
// that come before the faulty group. `tell`: called in each fork, at its end. If a fork cannot be
// made, goes on with fewer, and says so once. If others end a fork, this process ends in the same
// way. Returns the parts; the first is that of this process. Throws SimulatorFailure.
std::vector<RunPart> run_at_once(const GroupsToRun& groups,
                                 const std::function<void(std::size_t)>& run,
                                 const std::function<std::string()>& tell);

} // namespace gputest::simulator
