// Mutants of kernel launches: alloc_swap, alloc_increment and alloc_decrement (MutGPU, ICST 2020,
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
  std::string function; // that it is in
  unsigned index = 0;   // its bit
  std::vector<CudaMutant> mutants;
};

// The launches of the host's code that the author wrote out. Others are in `unreached`.
std::vector<CudaLaunch> find_launches(const Tree& tree,
                                      std::vector<model::NotInstrumented>& unreached);

// The author's file `path` as the host compiles it: each launch asks which mutant is active.
// `unit` is what it calls itself.
std::string host_text(const Tree& tree, const std::string& content,
                      const std::vector<CudaLaunch>& launches, const std::string& unit);

// The same for the flat text, of which one compiler makes both the host's and the device's code: a
// launch asks gputest_gpu_launch().
Edits launch_edits(const std::vector<CudaLaunch>& launches, const std::string& unit);

} // namespace gputest::passes::mutation
