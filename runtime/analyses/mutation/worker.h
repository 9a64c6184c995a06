// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker of --mutation: it runs the original first, then mutant after mutant.
#pragma once

#include "runtime/analyses/mutation/baseline.h"
#include "runtime/analyses/mutation/combined.h"
#include "runtime/analyses/mutation/lost.h"
#include "runtime/analyses/mutation/programs.h"
#include "runtime/process/worker.h"
#include "store/store.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct MutationItem {
  const model::Mutant* mutant = nullptr;
  Route route = Route::Combined;
};

// The data that all workers of a run share. A worker gets them as they are when the parent forks
// it.
//
// The channel's indices are first those of the test cases, run on the original, and then those of
// the items.
struct MutationJob {
  const Plan& plan;
  const KernelDescription& description;
  std::filesystem::path folder; // of mutants.cl
  const model::MutantTable& table;
  std::vector<MutationItem> items{};
  bool use_store = true;
  // No mutant begins after this time; nullopt: there is no limit. Outcomes in the store count.
  std::optional<std::chrono::steady_clock::time_point> end{};
  // Why survivors do not run in the simulator (survivor_checks.h); empty: they do.
  std::string not_simulated{};
  BuildHistory builds{};
  BaselineMemory baseline{};
  std::vector<KeyedOutcome> lost{};   // outcomes of the runs in which workers died
  std::vector<std::size_t> killers{}; // indices of the cases that killed the latest mutant
};

// Runs on the device what is left from index `first` on, and sends these messages:
// - info: {"device", "build_seconds", "optimised"}. Where the device rejects mutants.cl, also
//   {"rejected": the build log, "pieces": [[first site, last site], ...] that it accepts}.
// - info, later: {"not_simulated": why survivors do not run in the simulator}.
// - start of a build, with the index to begin with: {"build": [first site, last site], "quick":
//   without optimisation}; for original.cl "build" is [].
// - start of other runs: a detail for lost_outcome(); for a survivor in the simulator {"survivor":
//   id of the mutant}.
// - done, of a test case: {"problem", "wrong", "guilty", "harm", "deterministic", "reached",
// "seconds",
//   "first_seconds"}.
// - done, of an item: {"verdict", "reason", "detail", "killed_by", "runs", "order", "seconds",
//   "wall", "executed"}.
//
// Returns early when the original fails a test case. When a build ends the process, the caller
// notes that in `job.builds`.
void work_on_mutants(const MutationJob& job, const WorkerChannel& channel, std::size_t first);

} // namespace gputest::runtime
