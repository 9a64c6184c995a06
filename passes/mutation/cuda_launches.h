// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutates kernel launches: alloc_swap, alloc_increment and alloc_decrement (MutGPU, ICST 2020,
// Table I) on both numbers of k<<<blocks, threads>>>.
#pragma once

#include "frontend/edits.h"
#include "passes/mutation/cuda_text.h"

#include <string>
#include <vector>

namespace gputest::passes::mutation {

struct CudaLaunch {
  unsigned blocks = 0, blocks_end = 0; // the two arguments in the text
  unsigned threads = 0, threads_end = 0;
  std::string function; // that has the launch
  unsigned index = 0;   // its bit
  std::vector<CudaMutant> mutants;
};

// Returns the launches of host code in the source file itself. Launches in macros and headers go to
// `unreached`.
std::vector<CudaLaunch> find_launches(const frontend::Tree& tree,
                                      std::vector<model::NotInstrumented>& unreached);

// Returns the author's file as the host compiles it: each launch asks gputest_cuda_launch(unit, …)
// which mutant is active. `content`: the file's text.
std::string host_text(const frontend::Tree& tree, const std::string& content,
                      const std::vector<CudaLaunch>& launches, const std::string& unit);

// Returns the same as edits of the flat text, which one compiler compiles for both host and device:
// a launch asks gputest_gpu_launch().
frontend::Edits launch_edits(const std::vector<CudaLaunch>& launches, const std::string& unit);

} // namespace gputest::passes::mutation
