// Mutants that need no run of the program. In one more run without a mutant, the layer makes each
// launch again with the mutants that it reaches, from the memory that it found. A mutant with which
// all launches leave what they leave without it changes nothing that the program could see, so it
// survives. One that a guard stops, where no launch before that differs, is killed for that reason.
#pragma once

#include "model/mutation/trials.h"
#include "program/mutant_run.h"
#include "program/repeated_program.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace gputest::program {

class LaunchTrials {
public:
  // Tries them all. `run` and `child`: of a run without a mutant; `reads`: what such runs read
  // back; `seconds`: how long one takes. What is tried takes at most half as long as the runs that
  // it is to save. Throws std::runtime_error.
  void run(const RepeatedProgram& program, const RunSettings& run, ChildSettings child,
           const ReadBaseline& reads, double seconds, const std::vector<model::Trial>& trials);

  // What making a launch again may take, where runs of `seconds` with `launches` each are to be
  // saved, of which `jobs` are made at the same time. A mutant that survives is made in all
  // launches, and others in one at least.
  static double seconds_of_launch(double seconds, double launches, unsigned jobs);

  // nullptr: only a run of the program tells.
  const RunVerdict* find(const std::string& stem, const std::string& mutant, unsigned order) const;

  // Why launches were not tried, for people.
  const std::vector<std::string>& untried() const { return untried_; }

private:
  void add_reason(const std::string& reason);

  std::map<std::tuple<std::string, std::string, unsigned>, RunVerdict> verdicts_;
  std::vector<std::string> untried_;
};

} // namespace gputest::program
