// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs mutants of a CUDA program in forks, so that neither the program nor its use of the GPU, or
// of the simulator, begins anew (cuda/gpu/forks.h, cuda/runtime/forks.h).
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
  process::Tries tries{};
};

struct ForkOutcome {
  ChildResult result;
  bool is_endless = false;  // a loop has used up its budget
  std::string output{};     // what the program printed
  std::string difference{}; // how what it read back differs; empty: it does not
};

// What differs between devices.
struct ForkWay {
  const char* variable;     // of the environment, which has the descriptor of the program's socket
  std::size_t programs = 1; // at once, at most
  std::size_t least = 1;    // with fewer mutants, processes of their own are faster
  // The number of mutants between two runs of the original; 0: a mutant cannot affect others.
  std::size_t between_checks = 0;
  // Adds to an outcome what the program has recorded in the folder; empty: nothing.
  std::function<void(ForkOutcome&, const std::filesystem::path& folder)> look{};
  ChildSettings child{}; // of which the environment and the input are used
};
// On a GPU.
ForkWay forks_of_gpu();

// Runs the mutants of `queue`, in several programs at once. Each program runs the original first,
// and again as the way says; it passes if `oracle` does not notice it. `done` gets the mutants
// between two runs of the original that pass. What others end is tried again. Returns the runs that
// are impossible this way or not trusted, which need processes of their own, and those left when
// the time limit is over. `why` is set to the reason if that is so for all of them.
std::vector<ForkRun>
run_in_forks(const CudaRun& run, const ForkWay& way, const std::filesystem::path& records,
             std::deque<ForkRun> queue, const ProgramOracle& oracle, const TimeLimit& limit,
             const std::function<void(const ForkRun&, const ForkOutcome&)>& done, std::string& why);

} // namespace gputest::program
