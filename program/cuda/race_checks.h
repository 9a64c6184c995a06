// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the simulator's check for races about mutants of synchronisation that the program does not
// notice. In one order of threads, a plain operation does the same as an atomic one.
#pragma once

#include "model/checks/finding.h"
#include "program/child.h"
#include "program/cuda/run.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gputest::program {

class RaceChecks {
public:
  // `child`: what runs the program with this mutant (GPUTEST_CUDA_MUTANT; empty: none), with
  // records in this folder.
  using Child =
      std::function<ChildSettings(const std::string& mutant, const std::filesystem::path& folder)>;
  // `name`: what the program is called in messages. `folder`: for files that are removed
  // afterwards.
  RaceChecks(std::string name, Child child, std::filesystem::path folder)
      : name_(std::move(name)), child_(std::move(child)), folder_(std::move(folder)) {}

  // Runs the program with the mutant under the check; before the first one, also without a mutant.
  // Returns the first race that the original does not have, for people; nullopt: there is none.
  // Throws process::Disturbed if others end the program again and again.
  std::optional<std::string> race_of(const std::string& mutant);

private:
  std::vector<model::Finding> races(const std::string& mutant) const;

  std::string name_;
  Child child_;
  std::filesystem::path folder_;
  std::optional<std::set<std::string>> known_; // the original's, by pair_of()
};

} // namespace gputest::program
