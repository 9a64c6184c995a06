// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coverage of a program: it runs once, with its kernels instrumented. The engine here is the
// same for every kind of program.
#pragma once

#include "model/coverage.h"
#include "model/schedules/schedule.h"
#include "program/check.h"
#include "program/comparison.h"
#include "program/not_measured.h"
#include "program/oracle.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::program {

class TestedProgram;

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
  std::string folder; // "<stem>.<kernel>", different for each; empty: the folder of results
  model::Coverage coverage;
  std::uint64_t launches = 0;        // of all processes
  std::vector<LaunchShare> shares{}; // with CoverageSettings::each_launch, in order
};

struct ProgramCoverage {
  std::vector<KernelCoverage> kernels{}; // in order of `folder`
  std::vector<NotMeasured> not_measured{};
  unsigned processes = 0;
  std::filesystem::path sources{};  // a folder of texts that no file of the project holds
  std::vector<std::string> notes{}; // for people
  // Why nothing was measured, where there are no kernels.
  std::string nothing{};
  bool skipped = false;                 // nothing was measured, because there is no device
  std::string lost{};                   // why it is not known what is covered; empty: it is
  std::vector<CheckedLaunch> checked{}; // launches that ran in the simulator
};

struct CoverageSettings {
  bool each_launch = false; // also of each launch by itself
  bool compares = true;     // with a run without instrumentation
  bool apart = false;       // instantiations of a template are reported apart
};

struct CoverageRun {
  JudgedRun judged;
  ProgramCoverage coverage{};
  std::optional<Comparison> comparison{};
  std::vector<std::filesystem::path> files{}; // those with something to cover
};

// Runs the program, and writes <output>/<folder>/coverage.json for each kernel, and run.json
// (docs/formats.md). Removes those of an earlier run first.
CoverageRun run_coverage(TestedProgram& program, const CoverageSettings& settings);

} // namespace gputest::program
