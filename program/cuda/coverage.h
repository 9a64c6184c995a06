// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the coverage of a CUDA program from what its sources have recorded.
#pragma once

#include "program/coverage.h"
#include "program/cuda/records.h"
#include "program/cuda/run.h"

#include <vector>

namespace gputest::program {

// Returns the coverage of all sources together, as that of one kernel.
ProgramCoverage cuda_coverage(const CudaRun& run, const std::vector<UnitRecord>& units,
                              const JudgedRun& judged);

} // namespace gputest::program
