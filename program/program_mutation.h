// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutation testing of a whole program: the program runs once for each mutant of its kernels.
//
// The user's oracle judges (oracle.h). What the program reads back from the device is always hashed
// and compared with that of runs without a mutant. If only that differs, and the oracle does not
// look at it, the program uses wrong results and has no check that finds them. That is a weak
// oracle.
#pragma once

#include "model/mutation/guilty.h"
#include "model/mutation/mutation.h"
#include "program/repeated_program.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::program {

struct MutationSettings : RepeatedProgram {
  std::filesystem::path output;
  std::vector<std::string> operators; // names, in the order of model/mutation/operators.h
  std::vector<std::string> mutants;   // ids; empty: all
  std::optional<unsigned> sample;
  std::optional<double> threshold;
  bool fresh = false;          // ignores what the store knows
  bool whole_runs = false;     // tries no mutant on launches (launch_trials.h)
  std::filesystem::path store; // results.db
  std::filesystem::path judge; // the simulator, for MutantsDiffer; empty: there is none
};

// Without any mutant, the kernels with all mutants compute something else than the program's own:
// the verdicts on mutants mean nothing. what() says what differs, and guilty() who is wrong.
class MutantsDiffer : public std::runtime_error {
public:
  MutantsDiffer(const std::string& difference, model::Guilty guilty)
      : std::runtime_error(difference), guilty_(guilty) {}
  model::Guilty guilty() const { return guilty_; }

private:
  model::Guilty guilty_;
};

struct ProgramMutation {
  std::vector<model::Mutation> sources; // one for each source with mutants
  std::vector<NotMeasured> not_measured;
  std::vector<const model::MutantResult*> weak; // survivors whose results differed; in `sources`
  // Number of pieces read back, and of those that vary by themselves.
  std::size_t reads = 0, varying = 0;
  // Number of mutants whose verdicts launches told, without a run of the program.
  std::size_t tried = 0;
  std::vector<std::string> untried{}; // why others were not, for people
  std::string note{};                 // for people, of a self-check (ProgramOracle::note)
  bool skipped = false;               // whether the program says that there is no device
};

// Runs the mutants. `progress` is called after each. Verdicts are in the store before the next
// mutant begins. Throws PlainRunFailed, MutantsDiffer, store::StoreError, std::runtime_error.
ProgramMutation
run_mutants(const MutationSettings& settings,
            const std::function<void(std::size_t total, const model::MutantResult&)>& progress);

} // namespace gputest::program
