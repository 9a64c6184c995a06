// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes coverage from what processes recorded, for each kernel of each source.
#pragma once

#include "model/coverage.h"
#include "program/opencl/run_folder.h"
#include "program/oracle.h"

#include <string>
#include <vector>

namespace gputest::program {

// The coverage of one launch by itself.
struct LaunchShare {
  unsigned process = 1;       // in order of their start
  std::uint64_t launch = 0;   // its number among those of the kernel in the process, from 1
  std::uint64_t launches = 1; // more than 1: includes the launches after it
  model::Sizes sizes{};       // as the program gave them; local 0: the device chose
  model::Criteria criteria;
  std::uint64_t added = 0; // outcomes that no launch before it had
};

struct KernelCoverage {
  std::string folder; // "<stem>.<kernel>", different for each
  model::Coverage coverage;
  std::uint64_t launches = 0;        // of all processes
  std::vector<LaunchShare> shares{}; // with RunSettings::each_launch, in order
};

struct ProgramCoverage {
  std::vector<KernelCoverage> kernels; // in order of `folder`
  std::vector<NotMeasured> not_measured;
};

// Returns the coverage of a run. The program is a test case of each kernel that it launched; where
// its processes name the tests that they run (GPUTEST_CASE), each of these is one. Kernels
// of programs that were built and never launched are included, with nothing covered; `instrument`
// finds their sites. Kernels of which nothing could be measured are left out. `name` is the
// program's name.
ProgramCoverage program_coverage(const RunRecords& records, const RunSettings& settings,
                                 const std::string& name, const JudgedRun& run);

} // namespace gputest::program
