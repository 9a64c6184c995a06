// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/mutation.h"

#include "model/clock.h"
#include "model/mutation/worth.h"
#include "model/settings.h"
#include "program/changed_since.h"
#include "program/survivor_races.h"
#include "runtime/analyses/mutation/shards.h"
#include "runtime/variants/mutation_state.h"
#include "store/store.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using model::MutantResult;
using model::Verdict;

class Engine {
public:
  Engine(MutatedProgram& program, const EngineSettings& settings, const MutationProgress& progress)
      : program_(program), settings_(settings), progress_(progress), store_(settings.store) {}

  MutatedRuns run() {
    MutatedRuns all;
    ProgramOracle oracle(settings_.oracle);
    auto sources = program_.measure(oracle);
    all.skipped = !sources;
    all.note = oracle.note();
    if (all.skipped)
      return all;
    sources_ = std::move(*sources);
    if (settings_.time_limit)
      limit_ = TimeLimit(*settings_.time_limit);
    for (model::Mutation& source : sources_) {
      source.oracle = model::text_of(settings_.oracle);
      source.time_limit = settings_.time_limit;
    }
    std::vector<MutantTrial> trials = all_trials();
    total_ = trials.size();
    if (settings_.time_limit)
      sort_by_worth(trials);
    if (std::ranges::any_of(
            trials, [](const MutantTrial& trial) { return trial.result->mutant.synchronisation; }))
      orders_ = program_.orders();
    for (MutantTrial& trial : trials)
      put(trial, false);
    const auto start = std::chrono::steady_clock::now();
    run_faster();
    run_queue();
    for (model::Mutation& source : sources_)
      source.seconds = model::seconds_since(start) / static_cast<double>(sources_.size());
    program_.finish(sources_);
    SurvivorRaces races(program_, settings_.name, settings_.folder);
    look_for_races(races);
    all.notes = program_.notes();
    if (!races.problem().empty())
      all.notes.push_back("survivors of synchronisation were not checked for races: " +
                          races.problem());
    for (const MutantResult* const result : faster_)
      all.tried += ran_.contains(result) ? 0 : 1;
    std::error_code ignored;
    fs::remove_all(settings_.folder, ignored);
    all.sources = std::move(sources_);
    return all;
  }

private:
  std::vector<MutantTrial> all_trials() {
    std::vector<MutantTrial> trials;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      keys_.push_back(program_.key_of(i));
      for (MutantResult& result : sources_[i].results)
        if (result.verdict == Verdict::Survived)
          trials.push_back({&result, i, 0});
    }
    return trials;
  }

  // Puts a trial into the queue, unless the store knows its outcome.
  void put(std::optional<MutantTrial> trial, bool in_front) {
    while (trial) {
      const store::Outcome* const known = known_outcome(*trial);
      if (!known) {
        if (in_front)
          queue_.push_front(*trial);
        else
          queue_.push_back(*trial);
        return;
      }
      trial = settle(*trial, *known, false);
    }
  }

  const store::Outcome* known_outcome(const MutantTrial& trial) {
    if (settings_.fresh)
      return nullptr;
    const std::string& key = keys_[trial.source];
    const auto [of_program, is_new] = known_.try_emplace(key);
    if (is_new)
      for (const store::Outcome& outcome : store_.outcomes(key))
        of_program->second[{outcome.mutant, outcome.test_case, outcome.order}] = outcome;
    const auto found =
        of_program->second.find({trial.result->mutant.id, program_.case_of(*trial.result),
                                 runtime::order_name(trial.order)});
    return found == of_program->second.end() ? nullptr : &found->second;
  }

  void run_faster() {
    if (settings_.whole_runs)
      return;
    std::deque<MutantTrial> left;
    while (!queue_.empty()) {
      const auto done = [&](const MutantTrial& trial, const TrialOutcome& outcome) {
        faster_.insert(trial.result);
        put(settle(trial, keep(trial, outcome), true), false);
      };
      std::deque<MutantTrial> rest = program_.run_faster(std::exchange(queue_, {}), done, limit_);
      std::ranges::move(rest, std::back_inserter(left));
    }
    queue_ = std::move(left);
  }

  void run_queue() {
    struct Running {
      MutantTrial trial;
      process::Tries tries{};
    };
    Children children;
    std::map<std::size_t, Running> running;
    std::size_t number = 0;
    const auto start = [&](std::size_t of) {
      children.start(of, program_.child(running.at(of).trial, folder_of(of)));
    };
    while (true) {
      if (limit_.is_over())
        leave_queue();
      if (queue_.empty() && children.count() == 0)
        return;
      while (!queue_.empty() && children.count() < settings_.jobs) {
        running[number] = {queue_.front(), {}};
        queue_.pop_front();
        ran_.insert(running[number].trial.result);
        start(number++);
      }
      const auto [ended, result] = children.wait();
      Running& one = running.at(ended);
      if (one.tries.again(program_.disturbance(result, folder_of(ended)))) {
        start(ended);
        continue;
      }
      const TrialOutcome outcome = program_.judge(one.trial, result, folder_of(ended));
      std::error_code ignored;
      fs::remove_all(folder_of(ended), ignored);
      put(settle(one.trial, keep(one.trial, outcome), true), true);
      running.erase(ended);
    }
  }

  // What has not run in each order is no survivor.
  void leave_queue() {
    for (const MutantTrial& trial : std::exchange(queue_, {}))
      leave(*trial.result);
  }

  void leave(MutantResult& result) {
    result.verdict = Verdict::NotRun;
    result.reason = std::nullopt;
    result.detail.clear();
    result.reached_by.clear();
  }

  // In one order, a plain operation does the same as an atomic one.
  void look_for_races(SurvivorRaces& races) {
    if (!program_.checks_races())
      return;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      for (MutantResult& result : sources_[i].results) {
        if (result.verdict != Verdict::Survived || !result.mutant.synchronisation)
          continue;
        if (limit_.is_over()) {
          leave(result);
          continue;
        }
        if (auto race = races.race_of({&result, i, 0})) {
          result.verdict = Verdict::Killed;
          result.reason = model::KillReason::Race;
          result.detail = *std::move(race);
          result.killed_by = {settings_.name};
        }
      }
  }

  // Lines changed if they differ from the commit that GPUTEST_AGAINST names, or from the latest.
  void sort_by_worth(std::vector<MutantTrial>& trials) const {
    const char* const against = std::getenv("GPUTEST_AGAINST");
    ChangedSince changed(against && *against ? against : "HEAD", settings_.root);
    std::vector<const model::Mutant*> mutants;
    for (const MutantTrial& trial : trials)
      mutants.push_back(&trial.result->mutant);
    model::KnownOfMutants known{.last = settings_.last};
    try {
      std::set<const model::Mutant*> on_changed;
      std::error_code error; // text that is in no file tells nothing
      for (const model::Mutant* const mutant : mutants)
        if (fs::is_regular_file(settings_.root / mutant->file, error) && changed.has(*mutant))
          on_changed.insert(mutant);
      known.is_changed = [on_changed](const model::Mutant& mutant) {
        return on_changed.contains(&mutant);
      };
    } catch (const model::SettingError&) { // no Git: nobody knows what changed
    }
    std::vector<MutantTrial> sorted;
    for (const std::size_t index : model::by_worth(mutants, known))
      sorted.push_back(trials[index]);
    trials = std::move(sorted);
  }

  fs::path folder_of(std::size_t number) const { return settings_.folder / std::to_string(number); }

  // Stores the outcome of a trial, if it is known why it ended as it did.
  store::Outcome keep(const MutantTrial& trial, const TrialOutcome& ended) {
    const RunVerdict& verdict = ended.verdict;
    store::Outcome outcome;
    outcome.mutant = trial.result->mutant.id;
    outcome.test_case = program_.case_of(*trial.result);
    outcome.order = runtime::order_name(trial.order);
    outcome.runs = 1;
    outcome.verdict = verdict.verdict;
    outcome.noticed = verdict.verdict == Verdict::Killed || verdict.verdict == Verdict::Timeout;
    outcome.reason = verdict.reason;
    outcome.detail = verdict.detail;
    outcome.seconds = ended.seconds;
    if (ended.is_known)
      store_.put(keys_[trial.source], outcome);
    ++sources_[trial.source].executed;
    return outcome;
  }

  // Returns the next trial of a survivor of a kind that shows only under some orders.
  std::optional<MutantTrial> settle(const MutantTrial& trial, const store::Outcome& outcome,
                                    bool has_run) {
    MutantResult& result = *trial.result;
    result.runs += outcome.runs;
    result.seconds += outcome.seconds;
    const bool is_weak = outcome.detail.starts_with(kWeakOracle);
    if (trial.order == 0 || outcome.verdict != Verdict::Survived ||
        (is_weak && !result.detail.starts_with(kWeakOracle))) {
      result.verdict = outcome.verdict;
      result.reason = outcome.reason;
      result.detail = outcome.detail;
      if (outcome.verdict != Verdict::Survived)
        result.order = outcome.order;
      else if (!outcome.order.empty())
        result.detail += fmt::format(" ({} {})", program_.ordered(), outcome.order);
    }
    if (outcome.noticed > 0)
      result.killed_by = {settings_.name};
    const auto next = std::ranges::upper_bound(orders_, trial.order);
    if (outcome.verdict == Verdict::Survived && result.mutant.synchronisation &&
        next != orders_.end())
      return MutantTrial{trial.result, trial.source, *next};
    progress_(total_, result, has_run);
    return std::nullopt;
  }

  MutatedProgram& program_;
  const EngineSettings& settings_;
  const MutationProgress& progress_;
  store::Store store_;
  std::vector<model::Mutation> sources_;
  std::vector<std::string> keys_; // of the store, by source
  std::vector<unsigned> orders_;
  std::deque<MutantTrial> queue_;
  std::size_t total_ = 0;
  TimeLimit limit_;
  std::set<const MutantResult*> faster_, ran_;
  // What the store has, by key, then by mutant, case and order.
  using Name = std::tuple<std::string, std::string, std::string>;
  std::map<std::string, std::map<Name, store::Outcome>> known_;
};

} // namespace

MutatedRuns run_mutants(MutatedProgram& program, const EngineSettings& settings,
                        const MutationProgress& progress) {
  if (settings.shards > 1 && !settings.fresh)
    runtime::take_shards(settings.store, settings.results / "shards", settings.shards);
  return Engine(program, settings, progress).run();
}

} // namespace gputest::program
