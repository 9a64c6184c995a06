// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutants of an OpenCL program (mutation.h), which runs under the layer.
//
// What the program reads back from the device is always hashed and compared with that of runs
// without a mutant. If only that differs, and the oracle does not look at it, the program uses
// wrong results and has no check that finds them. That is a weak oracle.
#pragma once

#include "model/mutation/guilty.h"
#include "program/mutation.h"
#include "program/opencl/kept_reads.h"
#include "program/opencl/launch_trials.h"
#include "program/opencl/mutated_sources.h"
#include "program/opencl/races.h"
#include "program/opencl/repeated_program.h"
#include "program/read_baseline.h"

#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::program {

// Without any mutant, the kernels with all mutants compute something else than the program's own:
// the verdicts on mutants mean nothing. what() says what differs, and opinion() who is wrong.
class MutantsDiffer : public std::runtime_error {
public:
  MutantsDiffer(const std::string& difference, model::Opinion opinion)
      : std::runtime_error(difference), opinion_(std::move(opinion)) {}
  const model::Opinion& opinion() const { return opinion_; }

private:
  model::Opinion opinion_;
};

class OpenClMutants : public MutatedProgram {
public:
  explicit OpenClMutants(const MutationSettings& settings)
      : settings_(settings), run_(settings.run) {
    run_.measure = "mutants";
  }

  // Also throws MutantsDiffer.
  std::optional<std::vector<model::Mutation>> measure(ProgramOracle& oracle) override;
  std::string key_of(std::size_t source) const override;
  std::string case_of(const model::MutantResult& result) const override;
  std::vector<unsigned> orders() override;
  ChildSettings child(const MutantTrial& trial, const std::filesystem::path& folder) override;
  TrialOutcome judge(const MutantTrial& trial, const ChildResult& result,
                     const std::filesystem::path& folder) override;
  // Makes one run for all of the trials.
  std::deque<MutantTrial> run_faster(std::deque<MutantTrial> trials, const Done& done,
                                     const TimeLimit& limit) override;

  bool checks_races() const override { return !settings_.judge.empty() && settings_.checks_races; }
  std::optional<std::string> race_of(const MutantTrial& trial) override;

  const std::vector<NotMeasured>& not_measured() const { return not_measured_; }
  // Number of pieces read back, and of those that vary by themselves.
  std::size_t reads() const { return reads_.count(); }
  std::size_t varying() const { return reads_.varying(); }
  // Returns why mutants were not tried on launches, for people.
  const std::vector<std::string>& untried() const { return tried_.untried(); }

  // Returns why survivors of synchronisation were not checked for races, for people; empty: they
  // were, or there are none.
  std::string unchecked() const { return races_ ? races_->problem() : ""; }

private:
  ChildSettings child_of(const std::filesystem::path& folder, const std::string& mutant) const;
  void compare_with_own_kernels() const;
  void keep_reads_of_original();
  std::filesystem::path folder_of_original() const;
  std::string difference(const RunRecords& records) const;
  void try_on_launches(const std::deque<MutantTrial>& trials, const TimeLimit& limit);
  const std::string& stem_of(const MutantTrial& trial) const { return stems_[trial.source]; }
  double limit(bool is_compiled) const;

  const MutationSettings& settings_;
  RunSettings run_;
  MutatedSources sources_;
  std::vector<std::string> stems_; // by source
  ReadBaseline reads_;
  const ProgramOracle* oracle_ = nullptr; // knows the original
  KeptReads kept_;                        // of a run without a mutant, with a tolerance
  UnchangedRuns unchanged_;
  std::vector<unsigned> orders_;
  std::vector<NotMeasured> not_measured_;
  LaunchTrials tried_;
  bool has_tried_ = false;
  std::optional<OpenClRaces> races_;
};

} // namespace gputest::program
