// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the simulator's check for races about mutants of synchronisation that an OpenCL program does
// not notice.
#pragma once

#include "program/opencl/mutated_sources.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace gputest::program {

class OpenClRaces {
public:
  // `run`: the settings of runs with a mutant. `timeout`: their limit in seconds; the check may
  // take longer by a factor.
  OpenClRaces(const OpenClMutation& settings, RunSettings run, double timeout);

  // Runs the program in the simulator with the mutant ("<stem>/<id>"); before the first one, also
  // without a mutant. Returns the first race that the original does not have, for people; nullopt:
  // there is none.
  std::optional<std::string> race_of(const std::string& mutant);

  // Returns why nothing is checked, for people; empty: it is.
  const std::string& problem() const { return problem_; }

private:
  struct Checked {
    ChildResult result;
    std::vector<model::Finding> races;
  };
  Checked check(const std::string& mutant) const;

  const OpenClMutation& settings_;
  RunSettings run_;
  double timeout_;
  std::optional<std::set<std::string>> known_; // the original's, by pair_of()
  std::string problem_;
};

} // namespace gputest::program
