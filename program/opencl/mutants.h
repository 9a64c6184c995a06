// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutants of an OpenCL program (mutation.h), which runs under the layer.
//
// What the program reads back from the device is always hashed and compared with that of runs
// without a mutant. If only that differs, and the oracle does not look at it, the program uses
// wrong results and has no check that finds them. That is a weak oracle.
#pragma once

#include "program/mutation.h"
#include "program/opencl/kept_reads.h"
#include "program/opencl/launch_trials.h"
#include "program/opencl/mutated_sources.h"
#include "program/opencl/repeated_program.h"
#include "program/read_baseline.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

class OpenClMutants : public MutatedProgram {
public:
  explicit OpenClMutants(OpenClMutation settings)
      : settings_(std::move(settings)), run_(settings_.run) {
    run_.measure = "mutants";
  }

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
  ChildSettings child_for_races(const MutantTrial* trial,
                                const std::filesystem::path& folder) override;
  std::vector<model::Finding> findings_in(const std::filesystem::path& folder) const override;

  std::vector<NotMeasured> not_measured() const override { return not_measured_; }
  std::vector<std::string> notes() const override;
  std::size_t reads() const override { return reads_.count(); }
  std::size_t varying() const override { return reads_.varying(); }

private:
  ChildSettings child_of(const std::filesystem::path& folder, const std::string& mutant) const;
  void compare_with_own_kernels() const;
  void keep_reads_of_original();
  std::filesystem::path folder_of_original() const;
  std::string difference(const RunRecords& records) const;
  void try_on_launches(const std::deque<MutantTrial>& trials, const TimeLimit& limit);
  const std::string& stem_of(const MutantTrial& trial) const { return stems_[trial.source]; }
  std::string active(const MutantTrial& trial) const {
    return stem_of(trial) + "/" + trial.result->mutant.id;
  }
  double limit(bool is_compiled) const;

  OpenClMutation settings_;
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
};

} // namespace gputest::program
