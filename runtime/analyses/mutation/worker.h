// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker of --mutation: it runs the original first, then mutant after mutant.
#pragma once

#include "runtime/analyses/mutation/baseline.h"
#include "runtime/analyses/mutation/combined.h"
#include "runtime/analyses/mutation/programs.h"
#include "runtime/process/worker.h"
#include "store/store.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::runtime {

// An outcome, and the key of the program that it belongs to.
struct KeyedOutcome {
  std::string program;
  store::Outcome outcome;
  bool is_known = true; // false: the runs gave no verdict, so the outcome is not stored
};

// What went wrong while survivors ran in the simulator.
struct SurvivorLosses {
  unsigned times = 0;
  std::set<std::string> apart{};                  // ids: their common program ended a worker
  std::map<std::string, std::string> unchecked{}; // by id, why the mutant runs there no more
};

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
  SurvivorLosses losses{};
  BuildHistory builds{};
  BaselineMemory baseline{};
  std::vector<KeyedOutcome> lost{};   // outcomes of the runs in which workers died
  std::vector<std::size_t> killers{}; // indices of the cases that killed the latest mutant
};

// Runs on the device what is left from index `first` on, and sends messages (messages.h): Device
// when mutants.cl is built; Start, for a build with the index to begin with; when it
// is done with a test case OriginalCase, and with an item ItemResult.
//
// Returns early when the original fails a test case. When a build ends the process, the caller
// notes that in `job.builds`.
void work_on_mutants(const MutationJob& job, const WorkerChannel& channel, std::size_t first);

} // namespace gputest::runtime
