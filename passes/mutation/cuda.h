// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the mutants of a CUDA file, all in one program.
#pragma once

#include "passes/mutation/mutants.h"

#include <string>

namespace gputest::passes::mutation {

struct CudaMutants {
  // The file as it is compiled for the device: CUDA C++ with the state in a __device__ variable
  // gputest_mutants_<unit> (templates/mutants.cuh).
  std::string device;
  // The file as it is compiled for the host; its launches call gputest_cuda_launch(unit, site).
  std::string host;
  // The file as it is compiled for both by one compiler; launches call gputest_gpu_launch().
  std::string whole;
  model::MutantTable table;
  std::map<std::string, std::vector<TextChange>> changes; // of the flat text, by mutant's id
};

// A template gets a mutant if operators propose it in all instances of the template. Without a
// unit, kernels are launched by themselves (passes/cuda_state.h): host code is not mutated, and
// launches have the same mutants as those of OpenCL kernels. `is_wanted` takes a site's number: the
// texts have only the mutants of these sites, which keep their numbers.
CudaMutants mutate_cuda(
    const frontend::Tree& tree, const std::string& source_name, const std::string& unit,
    const std::function<bool(unsigned)>& is_wanted = [](unsigned) { return true; });

// Does what differences() of mutants.h does, without a unit. Templates with several instances are
// left out. `is_wanted` takes a mutant's number.
Differences cuda_differences(const frontend::Tree& tree, const std::string& source_name,
                             const std::function<bool(unsigned)>& is_wanted);

} // namespace gputest::passes::mutation
