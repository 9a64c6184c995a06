// The mutants of a CUDA file, all in one program.
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

// What operators propose in all functions that are made of a template is a mutant of the template.
// Without a unit, kernels are launched by themselves (passes/cuda_state.h): host code is nobody's,
// and launches have the mutants that those of OpenCL kernels have. `is_wanted`: only the mutants of
// these sites, which keep their numbers, are in the texts.
CudaMutants mutate_cuda(
    const Tree& tree, const std::string& source_name, const std::string& unit,
    const std::function<bool(unsigned)>& is_wanted = [](unsigned) { return true; });

// Does what differences() of mutants.h does, without a unit. It leaves out functions of which a
// template makes several. `is_wanted` gets a mutant's number.
Differences cuda_differences(const Tree& tree, const std::string& source_name,
                             const std::function<bool(unsigned)>& is_wanted);

} // namespace gputest::passes::mutation
