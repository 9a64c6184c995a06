// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutants of a CUDA program (program/mutation.h): those of its device code and of its launches.
#pragma once

#include "program/cuda/run.h"
#include "program/mutation.h"
#include "program/wanted.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

namespace gputest::program {

struct CudaMutationSettings {
  WantedMutants wanted;
  std::filesystem::path root; // the folder of the sources' names
  std::optional<double> threshold{};
  double timeout_factor = 1; // a time limit, as a multiple of the original's time
  unsigned baseline = 2;     // runs of the original, at least 2
  std::size_t jobs = 1;      // programs that run at the same time
  bool checks_races = true;  // survivors of synchronisation are checked in the simulator
};

// Both arguments must live as long as what is returned.
std::unique_ptr<MutatedProgram> cuda_mutants(const CudaRun& run,
                                             const CudaMutationSettings& settings);

} // namespace gputest::program
