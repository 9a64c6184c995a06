// What a worker process does for --mutation: the original first, then mutant after mutant.
#pragma once

#include "runtime/analyses/mutation/baseline.h"
#include "runtime/analyses/mutation/combined.h"
#include "runtime/analyses/mutation/lost.h"
#include "runtime/analyses/mutation/programs.h"
#include "runtime/process/worker.h"
#include "store/store.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime {

struct MutationItem {
  const model::Mutant* mutant = nullptr;
  Route route = Route::Combined;
};

// What all workers of a run share; each gets it as the parent has it when it is forked.
//
// The channel's cases are the test cases, run on the original, and after them the items.
struct MutationJob {
  const Plan& plan;
  const KernelDescription& description;
  std::filesystem::path folder; // of mutants.cl
  const model::MutantTable& table;
  std::vector<MutationItem> items{};
  bool use_store = true;
  // Why survivors are not looked at in the simulator (survivor_checks.h); empty: they are.
  std::string not_simulated{};
  BuildHistory builds{};
  BaselineMemory baseline{};
  std::vector<KeyedOutcome> lost{};   // of the runs in which workers died
  std::vector<std::size_t> killers{}; // cases that killed the latest mutant
};

// Runs on the device what is left from `first` on, and tells:
//   info:  {"not_simulated": why survivors are not looked at in the simulator}, or
//          {"device", "build_seconds", "optimised"}; where the device rejects mutants.cl,
//          {"rejected": build
//   log,
//          "pieces": [[first site, last site], ...] that it takes}
//   start: detail as lost_outcome() takes it; of a build of mutants.cl, of the index to begin with,
//          {"build": [first site, last site], "quick": it is not optimised}, or of original.cl
//          {"build": [], "quick"}; of what the
//          simulator says of a survivor {"survivor": its id}
//   done of a test case: {"problem", "wrong", "harm", "deterministic", "reached", "iterations",
//   "seconds"} done of an item:     {"verdict", "reason", "detail", "killed_by", "runs", "order",
//   "seconds",
//                         "wall", "executed"}
// Returns early when the original fails a test case.
//
// A build that ends the process is the caller's to note in `job.builds`.
void work_on_mutants(const MutationJob& job, const WorkerChannel& channel, std::size_t first);

} // namespace gputest::runtime
