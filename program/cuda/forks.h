// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs mutants of a CUDA program on a GPU in forks, so that neither the program nor its use of the
// GPU begins anew (cuda/gpu/forks.h).
#pragma once

#include "program/cuda/run.h"
#include "program/oracle.h"
#include "program/time_limit.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace gputest::program {

struct ForkRun {
  std::size_t number; // the caller's number
  std::string mutant; // GPUTEST_CUDA_MUTANT (cuda/records/measured.h)
  std::uint32_t budget;
  double timeout; // seconds
};

struct ForkOutcome {
  ChildResult result;
  bool is_endless = false; // a loop has used up its budget
  std::string output{};    // what the program printed
};

// Runs the mutants of `queue`, in several programs at once. Each program runs the original first,
// and again after a few mutants; it passes if `oracle` does not notice it. `done` gets the mutants
// between two runs of the original that pass. Returns the runs that are impossible this way or not
// trusted, which need processes of their own, and those left when the time limit is over. `why` is
// set to the reason if that is so for all of them.
std::vector<ForkRun>
run_in_forks(const CudaRun& run, const std::filesystem::path& records, std::deque<ForkRun> queue,
             const ProgramOracle& oracle, const TimeLimit& limit,
             const std::function<void(const ForkRun&, const ForkOutcome&)>& done, std::string& why);

} // namespace gputest::program
