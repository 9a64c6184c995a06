// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the simulator's check for races about mutants of synchronisation that a program does not
// notice. In one order of threads, a plain operation does the same as an atomic one. The engine
// here is the same for every kind of program.
#pragma once

#include "program/mutation.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

class SurvivorRaces {
public:
  // `name`: what the program is called in messages. `folder`: for records of runs, which are
  // removed afterwards.
  SurvivorRaces(MutatedProgram& program, std::string name, const std::filesystem::path& folder)
      : program_(program), name_(std::move(name)), folder_(folder / "races"),
        lost_(folder / "races-lost") {}

  // Runs the program with the trial's mutant under the check; before the first one, also without a
  // mutant. Returns the first race that the original does not have, for people; nullopt: there is
  // none. Throws process::Disturbed if others end the program again and again.
  std::optional<std::string> race_of(const MutantTrial& trial);

  // Returns why nothing is checked, for people; empty: it is.
  const std::string& problem() const { return problem_; }

private:
  std::vector<model::Finding> races(const MutantTrial* trial);

  MutatedProgram& program_;
  std::string name_;
  std::filesystem::path folder_, lost_;
  std::optional<std::set<std::string>> known_; // the original's, by pair_of()
  std::string problem_;
};

} // namespace gputest::program
