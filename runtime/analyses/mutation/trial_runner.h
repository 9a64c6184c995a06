// Mutants in one worker process: each on the cases that reach it, then the survivors under the
// checks of the simulator.
#pragma once

#include "runtime/analyses/mutation/original_runner.h"
#include "runtime/analyses/mutation/outcomes.h"
#include "runtime/analyses/mutation/survivor_checks.h"
#include "runtime/analyses/mutation/trial.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

class TrialRunner {
public:
  // `original` has its baselines before anything is run here. It must outlive this object.
  TrialRunner(const MutationJob& job, const WorkerChannel& channel, OriginalRunner& original);

  // Takes what the last worker died of as outcomes, if the device still works: else the mutant is
  // not to blame. Throws DeviceError.
  void take_loss();

  // Runs the job's items from `first` on.
  void run_items(std::size_t first);

private:
  using Clock = std::chrono::steady_clock;

  void run_item(std::size_t item);
  std::string key_of(const model::Mutant& mutant, Route route);
  std::vector<std::size_t> cases_reaching(const model::Mutant& mutant);
  bool passes_under(unsigned order, std::size_t test_case);
  store::Outcome outcome_of(const model::Mutant& mutant, Route route, TrialProgram& variant,
                            const TrialStep& step);
  std::optional<store::Outcome> build(const model::Mutant& mutant, Route route,
                                      TrialProgram& variant);
  store::Outcome execute(const model::Mutant* mutant, TrialProgram& variant, const TrialStep& step);
  static Launch launch_for(const model::Mutant* mutant, const MutantRunner& runner);
  void check_survivor(const model::Mutant& mutant, const std::string& program, TrialResult& result);
  std::optional<MutantNotice> notice_in_simulator(const model::Mutant& mutant,
                                                  const std::string& program,
                                                  std::size_t test_case);
  void repeat(const model::Mutant* mutant, MutantRunner& runner, PreparedKernel& kernel,
              const TrialStep& step, store::Outcome& outcome) const;

  const MutationJob& job_;
  const Plan& plan_;
  const MutationPlan& mutation_;
  const WorkerChannel& channel_;
  OriginalRunner& original_;
  OutcomeCache outcomes_;
  std::vector<std::size_t> killers_; // cases that killed the latest mutant
  std::optional<SurvivorChecks> survivors_;
  std::string not_simulated_; // why they are not looked at
  // The item that is run.
  std::size_t index_ = 0; // the channel's
  bool executed_ = false;
  Clock::duration preparation_{}; // for getting the text of its program
};

} // namespace gputest::runtime
