// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs mutants in one worker process, each on the cases that reach it.
#pragma once

#include "runtime/analyses/mutation/original_runner.h"
#include "runtime/analyses/mutation/outcomes.h"
#include "runtime/analyses/mutation/trial.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

class TrialRunner {
public:
  // `original` has its baselines before anything runs here. All arguments must outlive this object.
  TrialRunner(const MutationJob& job, const WorkerChannel& channel, OriginalRunner& original);

  // Records the runs in which the last worker died as outcomes of their mutants. First makes sure
  // that the device still works: otherwise the mutant is not to blame. Throws DeviceError.
  void take_loss();

  // Runs the job's items from `first` on.
  void run_items(std::size_t first);

private:
  using Clock = std::chrono::steady_clock;

  void run_item(std::size_t item);
  std::string key_of(const model::Mutant& mutant, Route route);
  std::vector<std::size_t> cases_reaching(const model::Mutant& mutant);
  bool passes_under(unsigned order, std::size_t test_case);
  // Returns nullopt where the outcome is not known, and the time limit is over.
  std::optional<store::Outcome> outcome_of(const model::Mutant& mutant, Route route,
                                           TrialProgram& variant, const TrialStep& step);
  bool is_over() const; // the time limit
  std::optional<store::Outcome> build(const model::Mutant& mutant, Route route,
                                      TrialProgram& variant);
  store::Outcome execute(const model::Mutant* mutant, TrialProgram& variant, const TrialStep& step);
  static Launch launch_for(const model::Mutant* mutant, const MutantRunner& runner);
  void repeat(const model::Mutant* mutant, MutantRunner& runner, PreparedKernel& kernel,
              const TrialStep& step, store::Outcome& outcome) const;

  const MutationJob& job_;
  const Plan& plan_;
  const MutationPlan& mutation_;
  const WorkerChannel& channel_;
  OriginalRunner& original_;
  OutcomeCache outcomes_;
  std::vector<std::size_t> killers_; // cases that killed the latest mutant
  // The item that runs now.
  std::size_t index_ = 0; // index of the channel
  bool executed_ = false;
  Clock::duration preparation_{}; // time for making the text of its program
};

} // namespace gputest::runtime
