// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes coverage from what processes recorded, for each kernel of each source.
#pragma once

#include "program/coverage.h"
#include "program/opencl/run_folder.h"

#include <string>

namespace gputest::program {

// Returns the coverage of a run. The program is a test case of each kernel that it launched; where
// its processes name the tests that they run (GPUTEST_CASE), each of these is one. Kernels
// of programs that were built and never launched are included, with nothing covered; `instrument`
// finds their sites. Kernels of which nothing could be measured are left out. `name` is the
// program's name.
ProgramCoverage program_coverage(const RunRecords& records, const RunSettings& settings,
                                 const std::string& name, const JudgedRun& run);

} // namespace gputest::program
