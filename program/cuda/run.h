// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA program that runs in the simulator or on a GPU, and how a child is started for it.
#pragma once

#include "model/programs/oracle.h"
#include "program/child.h"

#include <filesystem>
#include <string>

namespace gputest::program {

struct CudaRun {
  std::filesystem::path output; // absolute: where results go
  std::string name;
  ChildSettings child;
  bool quiet = false;           // no notes for people
  std::string device;           // "simulator", "gpu"
  std::filesystem::path tables; // empty: where the compiler put them
  model::Oracle oracle{};
  std::filesystem::path simulator{}; // the file of gputest-simulator, which need not exist
  std::filesystem::path passes{};    // the file of gputest-passes
};

// Returns the settings of a run of the program. `variant` of its device code runs, and records go
// to `records`, which is made or emptied.
ChildSettings child_with(const CudaRun& run, const std::string& variant,
                         const std::filesystem::path& records);

// Returns whether there is no device for the program, which then has said so.
bool lacks_device(const CudaRun& run);

// Returns what is wrong where a program has recorded nothing. `keyword`: of
// gputest_add_cuda_program().
std::string nothing_recorded(const CudaRun& run, const std::string& keyword);

} // namespace gputest::program
