// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that runs repeatedly, each time with something changed. This header has what all such
// runs have in common, and the runs that change nothing.
#pragma once

#include "program/child.h"
#include "program/opencl/run_folder.h"
#include "program/oracle.h"
#include "program/read_baseline.h"
#include "program/repeated_runs.h"
#include "runtime/variants/mutation_state.h"

#include <filesystem>
#include <functional>
#include <string>

namespace gputest::program {

using runtime::kShortestLimit;

struct RepeatedProgram : RepeatedRuns {
  std::string name;
  std::filesystem::path run_folder;
  RunSettings run;
  ChildSettings child;    // its timeout is for runs that change nothing
  model::Oracle oracle{}; // what judges its runs
};

// Returns the settings to run the program in a run folder of its own.
ChildSettings child_in(const RepeatedProgram& program, const std::filesystem::path& folder);

struct UnchangedRuns {
  bool skipped = false;     // the program said that there is no device, and launched nothing
  unsigned runs = 0;        // number of runs
  double first_seconds = 0; // the time of the first run, in which the device may compile
  double seconds = 0;       // median
  ChildResult last;         // the last run, and what it recorded
  RunRecords last_records;
};

// Returns what the program printed in a run of child_in().
std::string output_of(const ChildSettings& child);

// Runs `child` in program.run_folder `program.baseline` times, usually 3, or more often if `oracle`
// needs that. `look` gets what each run recorded, `reads` what it read back, and `oracle` how it
// ended. Throws PlainRunFailed if the oracle cannot judge by these runs, and std::runtime_error.
UnchangedRuns run_unchanged(const RepeatedProgram& program, const RunSettings& run,
                            const ChildSettings& child, ReadBaseline& reads, ProgramOracle& oracle,
                            const std::function<void(const RunRecords&, bool first)>& look);

} // namespace gputest::program
