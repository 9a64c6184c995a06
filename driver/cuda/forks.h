// Runs of mutants of a CUDA program on a GPU for which neither the program nor its use of the GPU
// begins anew (cuda/gpu/forks.h).
#pragma once

#include "driver/cuda/run.h"
#include "program/child.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace gputest::driver {

struct ForkRun {
  std::size_t number; // the caller's
  std::string mutant; // GPUTEST_CUDA_MUTANT (cuda/records/measured.h)
  std::uint32_t budget;
  double timeout; // seconds
};

struct ForkOutcome {
  program::ChildResult result;
  bool is_endless = false; // a loop has used its budget up
};

// Several programs run at once. Each runs the original first, and again after a few mutants: only
// what lies between two of those that pass is `done`. What cannot be run so, or is not trusted, is
// returned, for processes of their own; `why`: the reason, where it is so for all of them.
std::vector<ForkRun>
run_in_forks(const CudaRun& run, const std::filesystem::path& records, std::deque<ForkRun> queue,
             const std::function<void(const ForkRun&, const ForkOutcome&)>& done, std::string& why);

} // namespace gputest::driver
