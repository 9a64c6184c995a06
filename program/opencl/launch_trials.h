// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the verdicts of mutants that need no run of the program. In one more run without a mutant,
// the layer makes each launch again with the mutants that it reaches, from the memory that it
// found. If all launches leave the same with a mutant as without it, the program cannot see the
// mutant, so it survives. If a guard stops a mutant and no launch before that differs, the guard
// kills it.
#pragma once

#include "model/mutation/trials.h"
#include "program/opencl/mutant_run.h"
#include "program/opencl/repeated_program.h"
#include "program/time_limit.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace gputest::program {

class LaunchTrials {
public:
  // Tries all of `trials`. `run` and `child` are the settings of a run without a mutant. `reads`
  // and `oracle` know such runs. `seconds`: how long one takes. Trials take at most half as long as
  // the runs that they save, and not past the time limit. Throws std::runtime_error.
  void run(const RepeatedProgram& program, const RunSettings& run, ChildSettings child,
           const ReadBaseline& reads, const ProgramOracle& oracle, double seconds,
           const std::vector<model::Trial>& trials, const TimeLimit& limit = {});

  // Returns the seconds that making a launch again may take. Trials save runs of `seconds` with
  // `launches` each, `jobs` of which run at the same time. A mutant that survives is tried in all
  // launches, and others in at least one.
  static double seconds_of_launch(double seconds, double launches, unsigned jobs);

  // Returns the verdict; nullptr: only a run of the program tells it.
  const RunVerdict* find(const std::string& stem, const std::string& mutant, unsigned order) const;

  // Returns why launches were not tried, for people.
  const std::vector<std::string>& untried() const { return untried_; }

private:
  void add_reason(const std::string& reason);

  std::map<std::tuple<std::string, std::string, unsigned>, RunVerdict> verdicts_;
  std::vector<std::string> untried_;
};

} // namespace gputest::program
