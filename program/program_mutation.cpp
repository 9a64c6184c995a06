// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/program_mutation.h"

#include "model/clock.h"
#include "model/files.h"
#include "program/launch_trials.h"
#include "program/mutant_run.h"
#include "program/mutated_sources.h"
#include "program/plain_comparison.h"
#include "runtime/variants/mutation_state.h"
#include "store/store.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using model::Mutant;
using model::MutantKind;
using model::MutantResult;
using model::Verdict;

constexpr unsigned kOrders = 4; // as for kernels
// The fewest mutants that are tried. Trying takes a run of the program and some time, which a few
// mutants do not save.
constexpr std::size_t kFewestTried = 4;

class Run {
public:
  Run(const MutationSettings& settings,
      const std::function<void(std::size_t, const MutantResult&)>& progress)
      : settings_(settings), progress_(progress), run_(settings.run), store_(settings.store) {
    run_.measure = "mutants";
  }

  ProgramMutation run() {
    measure();
    if (all_.skipped)
      return std::move(all_);
    describe();
    run_items();
    for (const model::Mutation& mutation : all_.sources)
      for (const MutantResult& result : mutation.results)
        if (result.verdict == Verdict::Survived && result.detail.starts_with(kWeakOracle))
          all_.weak.push_back(&result);
    return std::move(all_);
  }

private:
  struct Item {
    MutantResult* result;
    model::Mutation* mutation;
    std::string stem, program; // the store's key
  };

  ChildSettings child_of(const fs::path& folder, const std::string& mutant) const {
    ChildSettings child = child_in(settings_, folder);
    child.environment["GPUTEST_MUTANT"] = mutant;
    return child;
  }

  // Runs without a mutant, to see which sites are reached, how many iterations loops take, how long
  // a run lasts, and what varies by itself.
  void measure() {
    run_.trace = true;
    unchanged_ = run_unchanged(settings_, run_, child_of(settings_.run_folder, ""), reads_,
                               [&](const RunRecords& records, bool first) {
                                 if (first)
                                   all_.not_measured = records.not_measured;
                                 sources_.look(records);
                               });
    all_.skipped = unchanged_.skipped;
    if (all_.skipped)
      return;
    compare_with_own_kernels();
    run_.trace = false;
    all_.reads = reads_.count();
    all_.varying = reads_.varying();
    if (sources_.all().empty())
      throw PlainRunFailed("it launches no kernel that can be mutated");
    run_.budgets = sources_.budgets();
    run_.harm = sources_.harm();
  }

  // Runs with `trace`, because otherwise no kernel is replaced.
  void compare_with_own_kernels() const {
    const Comparison compared =
        compare_with_plain({settings_.run_folder, run_, child_of(settings_.run_folder, ""),
                            unchanged_.last, settings_.child.input_from, settings_.judge},
                           unchanged_.last_records, {});
    if (!compared.difference.empty())
      throw MutantsDiffer(compared.difference, compared.guilty);
  }

  void describe() {
    all_.sources.reserve(sources_.all().size()); // items point into it
    for (const auto& [stem, source] : sources_.all()) {
      all_.sources.push_back(sources_.describe(source, settings_));
      all_.sources.back().deterministic = all_.varying == 0;
      add_items(source, all_.sources.back());
    }
  }

  void add_items(const MutatedSource& source, model::Mutation& mutation) {
    const std::string program = program_key(source);
    for (MutantResult& result : mutation.results)
      if (result.verdict == Verdict::Survived)
        items_.push_back({&result, &mutation, source.stem, program});
  }

  // Everything that a verdict depends on, as far as it is visible from here: the mutants, the
  // command, and the files that the command names.
  std::string program_key(const MutatedSource& source) const {
    nlohmann::ordered_json key{{"format", "program 2"},
                               {"command", settings_.child.command},
                               {"device", source.device},
                               {"timeout_factor", settings_.timeout_factor},
                               {"mutants", nlohmann::ordered_json::array()},
                               {"files", nlohmann::ordered_json::array()}};
    for (const fs::path& folder : source.folders)
      key["mutants"].push_back(
          store::content_hash(model::read_text(folder / "mutants.cl").value_or("")));
    for (const std::string& word : settings_.child.command)
      if (fs::is_regular_file(word))
        key["files"].push_back(store::content_hash(model::read_text(word).value_or("")));
    return store::content_hash(
        key.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }

  // One run of a mutant: as launched, or with work-groups and work-items in another order.
  struct Trial {
    std::size_t item = 0;
    unsigned order = 0; // runtime::order_of
    unsigned tries = 0; // number of times that others ended it
  };

  void run_items() {
    for (std::size_t i = 0; i < items_.size(); ++i)
      queue_.push_back({i, 0});
    find_orders();
    try_on_launches();
    const auto start = std::chrono::steady_clock::now();
    Children children;
    std::map<std::size_t, Trial> running;
    std::size_t number = 0;
    while (!queue_.empty() || children.count() > 0) {
      while (!queue_.empty() && children.count() < settings_.jobs) {
        const Trial trial = queue_.front();
        queue_.pop_front();
        if (const store::Outcome* known = known_outcome(trial)) {
          settle(trial, *known);
          continue;
        }
        if (const RunVerdict* tried = tried_.find(
                items_[trial.item].stem, items_[trial.item].result->mutant.id, trial.order)) {
          tried_items_.insert(trial.item);
          settle(trial, keep(trial, *tried, 0, true));
          continue;
        }
        with_run_.insert(trial.item);
        begin(children, number, trial);
        running[number++] = trial;
      }
      if (children.count() == 0)
        continue;
      const auto [ended, result] = children.wait();
      end(running.at(ended), ended, result);
      running.erase(ended);
    }
    for (std::size_t i = 0; i < items_.size(); ++i)
      all_.tried += tried_items_.contains(i) && !with_run_.contains(i) ? 1 : 0;
    all_.untried = tried_.untried();
    const double took = seconds_since(start);
    for (model::Mutation& mutation : all_.sources)
      mutation.seconds = took / static_cast<double>(all_.sources.size());
  }

  // Finds the orders under which the program without a mutant does what it does as launched.
  void find_orders() {
    const bool is_wanted = std::ranges::any_of(
        items_, [](const Item& item) { return item.result->mutant.synchronisation; });
    for (unsigned order = 1; is_wanted && order <= kOrders; ++order) {
      RunSettings run = run_;
      run.order = order;
      const fs::path folder = folder_of(order);
      ChildSettings child = child_of(folder, "");
      child.timeout = limit(false);
      const ChildResult result = run_recorded(child, folder, run);
      const RunRecords records = read_run_folder(folder);
      if (result.succeeded() && reads_.difference(records.reads).empty())
        orders_.push_back(order);
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  }

  // Makes one run for all mutants that the store does not know.
  void try_on_launches() {
    if (settings_.whole_runs)
      return;
    std::vector<model::Trial> trials;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Mutant& mutant = items_[i].result->mutant;
      if (mutant.kind == MutantKind::Program || known_outcome({i, 0}))
        continue;
      trials.push_back({items_[i].stem, mutant.id, 0});
      for (const unsigned order : orders_)
        if (mutant.synchronisation)
          trials.push_back({items_[i].stem, mutant.id, order});
    }
    if (trials.size() < kFewestTried)
      return;
    RunSettings run = run_;
    for (const auto& [stem, source] : sources_.all())
      run.trial_seconds[stem] = LaunchTrials::seconds_of_launch(
          unchanged_.seconds, static_cast<double>(source.launched) / unchanged_.runs,
          settings_.jobs);
    tried_.run(settings_, run, child_of(settings_.run_folder, ""), reads_, unchanged_.seconds,
               trials);
  }

  const store::Outcome* known_outcome(const Trial& trial) {
    if (settings_.fresh)
      return nullptr;
    const Item& item = items_[trial.item];
    const auto [of_program, is_new] = known_.try_emplace(item.program);
    if (is_new)
      for (const store::Outcome& outcome : store_.outcomes(item.program))
        of_program->second[{outcome.mutant, outcome.order}] = outcome;
    const auto found =
        of_program->second.find({item.result->mutant.id, runtime::order_name(trial.order)});
    return found == of_program->second.end() ? nullptr : &found->second;
  }

  fs::path folder_of(std::size_t number) const {
    return settings_.run_folder.parent_path() / "mutants" / std::to_string(number);
  }

  double limit(bool is_compiled) const {
    return std::max(runtime::kShortestLimit, settings_.timeout_factor * unchanged_.seconds) +
           (is_compiled ? settings_.timeout_factor * unchanged_.first_seconds : 0);
  }

  void begin(Children& children, std::size_t number, const Trial& trial) {
    const Item& item = items_[trial.item];
    const Mutant& mutant = item.result->mutant;
    RunSettings run = run_;
    run.order = trial.order;
    prepare_run_folder(folder_of(number), run);
    ChildSettings child = child_of(folder_of(number), item.stem + "/" + mutant.id);
    child.timeout = limit(mutant.kind == MutantKind::Program);
    children.start(number, child);
  }

  void end(const Trial& trial, std::size_t number, const ChildResult& result) {
    const Item& item = items_[trial.item];
    const fs::path folder = folder_of(number);
    if (result.by_others() && trial.tries + 1 < process::kTries) {
      queue_.push_front({trial.item, trial.order, trial.tries + 1});
      return;
    }
    const RunVerdict verdict =
        judge(item.result->mutant, result, read_run_folder(folder), reads_, sources_.tables());
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    settle(trial, keep(trial, verdict, result.seconds, !result.by_others()));
  }

  // Returns the outcome of a trial. `is_known` is false where nobody knows why the run ended as it
  // did: then it is not stored.
  store::Outcome keep(const Trial& trial, const RunVerdict& verdict, double seconds,
                      bool is_known) {
    const Item& item = items_[trial.item];
    store::Outcome outcome;
    outcome.mutant = item.result->mutant.id;
    outcome.test_case = store::content_hash(settings_.name);
    outcome.order = runtime::order_name(trial.order);
    outcome.runs = 1;
    outcome.verdict = verdict.verdict;
    outcome.noticed = verdict.verdict == Verdict::Killed || verdict.verdict == Verdict::Timeout;
    outcome.reason = verdict.reason;
    outcome.detail = verdict.detail;
    outcome.seconds = seconds;
    if (is_known)
      store_.put(item.program, outcome);
    ++item.mutation->executed;
    return outcome;
  }

  // A survivor of a kind that shows only under some orders gets another chance.
  void settle(const Trial& trial, const store::Outcome& outcome) {
    MutantResult& result = *items_[trial.item].result;
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
        result.detail += fmt::format(" (work-groups and work-items {})", outcome.order);
    }
    if (outcome.noticed > 0)
      result.killed_by = {settings_.name};
    const auto next = std::ranges::upper_bound(orders_, trial.order);
    if (outcome.verdict == Verdict::Survived && result.mutant.synchronisation &&
        next != orders_.end())
      queue_.push_front({trial.item, *next});
    else
      progress_(items_.size(), result);
  }

  const MutationSettings& settings_;
  const std::function<void(std::size_t, const MutantResult&)>& progress_;
  RunSettings run_;
  store::Store store_;
  MutatedSources sources_;
  ReadBaseline reads_;
  UnchangedRuns unchanged_;
  std::vector<Item> items_;
  std::deque<Trial> queue_;
  std::vector<unsigned> orders_; // ascending
  LaunchTrials tried_;
  std::set<std::size_t> tried_items_, with_run_; // indices of items
  // What the store has, by program, then by mutant and order.
  std::map<std::string, std::map<std::pair<std::string, std::string>, store::Outcome>> known_;
  ProgramMutation all_;
};

} // namespace

ProgramMutation run_mutants(const MutationSettings& settings,
                            const std::function<void(std::size_t, const MutantResult&)>& progress) {
  return Run(settings, progress).run();
}

} // namespace gputest::program
