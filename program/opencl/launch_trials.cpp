// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/launch_trials.h"

#include "runtime/variants/mutation_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::program {
namespace {

using model::Trial;
using model::TrialResult;
using model::Verdict;

constexpr unsigned kTries = 4; // of programs that a mutant ends
// Trials pay off where about a fifth of the mutants survive.
constexpr double kWorthWhile = 0.2;
constexpr double kMostTime = 0.5; // share of the time of the runs that are saved

} // namespace

void LaunchTrials::add_reason(const std::string& reason) {
  if (std::ranges::find(untried_, reason) == untried_.end())
    untried_.push_back(reason);
}

double LaunchTrials::seconds_of_launch(double seconds, double launches, unsigned jobs) {
  return kWorthWhile * seconds / std::max(1.0, launches) / std::max(1u, jobs);
}

void LaunchTrials::run(const RepeatedProgram& program, const RunSettings& run, ChildSettings child,
                       const ReadBaseline& reads, const ProgramOracle& oracle, double seconds,
                       const std::vector<Trial>& trials, const TimeLimit& limit) {
  if (reads.varying() != 0) {
    add_reason("what the program reads back is not the same in each run");
    return;
  }
  RunSettings settings = run;
  settings.trace = true;
  settings.trials = trials;
  double left_seconds = kMostTime * seconds * static_cast<double>(trials.size());
  for (unsigned tries = 0; tries < kTries && !settings.trials.empty(); ++tries) {
    if (limit.is_over()) {
      add_reason("the time limit was over");
      return;
    }
    left_seconds = std::min(left_seconds, limit.left());
    child.timeout =
        std::max(runtime::kShortestLimit, program.timeout_factor * seconds) + left_seconds;
    const ChildResult result = run_recorded(child, program.run_folder, settings);
    const RunRecords records = read_run_folder(program.run_folder);
    RecordedTrials found = records.trials;
    found.results.resize(settings.trials.size());
    for (const auto& [kernel, reason] : found.untried)
      add_reason(fmt::format("{}: {}", kernel, reason));
    left_seconds = std::max(0.0, left_seconds - std::max(0.0, result.seconds - seconds));
    const bool has_begun =
        std::ranges::find(found.results, TrialResult::Begun) != found.results.end();
    const bool ends_as_usual = !result.timed_out && !oracle.noticed(result, output_of(child));
    if (ends_as_usual && !has_begun) { // else a process of it died
      if (!reads.difference(records.reads).empty()) {
        add_reason("the program reads back something else when launches are made again");
        return;
      }
      for (std::size_t i = 0; i < settings.trials.size(); ++i) {
        const Trial& trial = settings.trials[i];
        const std::tuple key{trial.stem, trial.mutant, trial.order};
        if (found.results[i] == TrialResult::Nothing)
          verdicts_[key] = {Verdict::Survived, std::nullopt, std::string(kNothingDiffers)};
        else if (found.results[i] == TrialResult::Noticed && found.notices.contains(i))
          verdicts_[key] = {Verdict::Killed, found.notices[i].reason,
                            found.notices[i].detail + "; a launch by itself tells"};
      }
      return;
    }
    // A mutant has ended it, or nobody knows what has.
    std::vector<Trial> left;
    for (std::size_t i = 0; i < settings.trials.size(); ++i)
      if (found.results[i] == TrialResult::Nothing || found.results[i] == TrialResult::Noticed)
        left.push_back(settings.trials[i]);
    if (!has_begun) {
      add_reason(
          fmt::format("the program does not end as it does without mutants ({})", result.text()));
      return;
    }
    settings.trials = std::move(left);
  }
  if (!settings.trials.empty())
    add_reason(fmt::format("{} mutants in a row ended the program", kTries));
}

const RunVerdict* LaunchTrials::find(const std::string& stem, const std::string& mutant,
                                     unsigned order) const {
  const auto found = verdicts_.find({stem, mutant, order});
  return found == verdicts_.end() ? nullptr : &found->second;
}

} // namespace gputest::program
