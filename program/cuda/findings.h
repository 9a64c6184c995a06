// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what checks of the simulator have found in launches of a CUDA program
// (GPUTEST_CUDA_FINDINGS).
#pragma once

#include "model/checks/finding.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace gputest::program {

struct CudaFindings {
  std::vector<model::Finding> findings; // in the order in which they were found
  std::uint64_t launches = 0, library_calls = 0;
};

// Lines that a killed process did not finish are left out.
CudaFindings read_cuda_findings(const std::filesystem::path& file);

} // namespace gputest::program
