// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run-cuda --mutation: the program runs once for each mutant of its device code and of its
// launches, and its exit code says whether it notices.
#include "model/mutation/mutation.h"
#include "driver/command_error.h"
#include "driver/cuda/forks.h"
#include "driver/cuda/outcomes.h"
#include "driver/cuda/race_checks.h"
#include "driver/cuda/records.h"
#include "driver/cuda/run.h"
#include "driver/cuda/survivors.h"
#include "driver/cuda/switch.h"
#include "driver/report/mutation.h"
#include "model/analyses.h"
#include "model/clock.h"
#include "model/files.h"
#include "model/mutation/cuda_state.h"
#include "model/mutation/operators.h"
#include "model/mutation/progress.h"
#include "model/mutation/sample.h"
#include "process/undisturbed.h"
#include "program/repeated_program.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <thread>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using model::KillReason;
using model::MutantResult;
using model::Verdict;

constexpr const char* kLost = "simulator-lost"; // a file among a mutant's records
constexpr std::size_t kJobsOfGpu = 8;           // processes that share one GPU; more are no faster

std::string key_of(const model::Mutant& mutant) {
  return mutant.file + "\n" + mutant.id;
}

class MutationRun {
public:
  MutationRun(const CudaRun& run, const model::Settings& settings,
              const cxxopts::ParseResult& arguments)
      : run_(run), settings_(settings), records_(run.output / "mutation-records"),
        operators_(model::select_operators(settings.names("operators"))) {
    mutation_.name = mutation_.kernel = run.name;
    mutation_.device = run.device;
    mutation_.cases = {run.name};
    mutation_.operators = operators_;
    mutation_.threshold = mutation_threshold(arguments, settings);
    mutation_.repeat = 1;
    fresh_ = arguments.count("fresh") > 0;
    whole_runs_ = arguments.count("whole-runs") > 0;
    if (arguments.count("source-root") > 0)
      root_ = arguments["source-root"].as<std::string>();
  }

  // Returns what is wrong; empty: nothing.
  std::string run() {
    if (std::string problem = run_original(); !problem.empty())
      return problem;
    run_mutants();
    compare_survivors();
    if (run_.device == "simulator")
      check_survivors();
    fs::remove_all(records_);
    return "";
  }

  const model::Mutation& mutation() const { return mutation_; }

private:
  // Runs the original twice, because kernels are compiled during the first run.
  std::string run_original() {
    for (const bool first : {true, false}) {
      const program::ChildResult result =
          process::run_undisturbed(run_.name, run_.output / "simulator-lost", [&] {
            return child_with(run_, "mutants", records_ / "original");
          });
      if (!result.succeeded())
        return fmt::format("{}: no mutant was run, because without one it failed: {}", run_.name,
                           result.text());
      (first ? first_seconds_ : seconds_) = result.seconds;
    }
    const std::vector<UnitRecord> units = read_records(records_ / "original", run_.tables);
    if (std::ranges::none_of(units, [](const UnitRecord& unit) { return unit.launches > 0; }))
      return nothing_recorded(run_, "MUTATION");
    for (const UnitRecord& unit : units) {
      if (!unit.lost.empty())
        return fmt::format("{}: no mutant was run, because the GPU has lost what the program "
                           "reaches: {}",
                           run_.name, unit.lost);
      add(unit);
    }
    for (const UnitRecord& unit : units)
      if (unit.state.size() > model::kCudaIterations)
        iterations_ = std::max(iterations_, unit.state[model::kCudaIterations]);
    mutation_.population = mutation_.results.size();
    if (const auto count = settings_.given_whole("sample"))
      keep_sample(*count);
    // After the selection, so that duplicates of mutants that are left out run.
    mark([](const MutantResult&) { return true; });
    if (!mutation_.results.empty())
      mutation_.source = mutation_.results.front().mutant.file;
    return "";
  }

  void add(const UnitRecord& unit) {
    const model::MutantTable table = model::read_mutant_table(unit.folder / "mutants.json");
    if (!table.compared)
      not_compared_.insert(unit.folder);
    for (const model::NotInstrumented& entry : table.not_mutated)
      if (std::ranges::find(mutation_.not_mutated, entry) == mutation_.not_mutated.end())
        mutation_.not_mutated.push_back(entry);
    for (const model::Mutant& mutant : table.mutants) {
      const bool wanted = std::ranges::any_of(mutant.operators, [&](const std::string& name) {
        return std::ranges::find(operators_, name) != operators_.end();
      });
      if (!wanted)
        continue;
      const auto [known, is_new] = switches_.try_emplace(key_of(mutant));
      known->second.places.push_back(
          {unit.folder, mutant.number, mutant.equivalent, mutant.duplicate_of});
      const unsigned bit = mutant.site;
      const std::size_t word = model::kCudaReached + bit / 32;
      if (word < unit.state.size() && (unit.state[word] >> bit % 32 & 1) != 0)
        known->second.reached = true;
      if (is_new) {
        mutation_.results.emplace_back().mutant = mutant;
        if (!mutation_.sources.contains(mutant.file))
          mutation_.sources[mutant.file] = model::read_text(root_ / mutant.file).value_or("");
      }
    }
  }

  void keep_sample(std::size_t count) {
    const auto seed = static_cast<unsigned>(settings_.whole("seed"));
    mutation_.sample_seed = seed;
    std::vector<const model::Mutant*> all;
    for (const MutantResult& result : mutation_.results)
      all.push_back(&result.mutant);
    std::vector<MutantResult> sample;
    for (const model::Mutant* const mutant : model::draw(all, count, seed))
      sample.emplace_back().mutant = *mutant;
    mutation_.results = std::move(sample);
  }

  // Marks the results that are equivalent, or duplicates, in all of their sources. A duplicate's
  // first mutant must be one of these results, too, and change the same sources.
  void mark(const std::function<bool(const MutantResult&)>& is_wanted) {
    std::map<std::string, std::vector<const Switch*>> by_id;
    for (const MutantResult& result : mutation_.results)
      if (is_wanted(result))
        by_id[result.mutant.id].push_back(&switch_of(result.mutant));
    for (MutantResult& result : mutation_.results) {
      if (!is_wanted(result))
        continue;
      const Switch& own = switch_of(result.mutant);
      const std::string& of = own.places.front().duplicate_of;
      const auto first = by_id.find(of);
      const bool is_duplicate = first != by_id.end() && first->second.size() == 1 &&
                                first->second.front()->is_in_sources_of(own) &&
                                std::ranges::all_of(own.places, [&](const Switch::Place& place) {
                                  return place.duplicate_of == of;
                                });
      result.mutant.equivalent = std::ranges::all_of(own.places, &Switch::Place::equivalent);
      result.mutant.duplicate_of = is_duplicate ? of : "";
    }
  }

  // Returns whether the verdict is known without a run, and then sets it.
  static bool decide(MutantResult& result) {
    if (result.mutant.equivalent) {
      result.verdict = Verdict::Equivalent;
      result.detail = result.mutant.proof;
    } else if (!result.mutant.duplicate_of.empty()) {
      result.verdict = Verdict::Duplicate;
      result.detail = "of " + result.mutant.duplicate_of;
    } else {
      return false;
    }
    return true;
  }

  // Compares the survivors of sources with very many mutants, none of which has been compared yet.
  void compare_survivors() {
    const auto survived = [](const MutantResult& result) {
      return result.verdict == Verdict::Survived;
    };
    std::map<fs::path, std::set<std::string>> ids;
    for (const MutantResult& result : mutation_.results)
      if (survived(result))
        for (const Switch::Place& place : switch_of(result.mutant).places)
          if (not_compared_.contains(place.folder))
            ids[place.folder].insert(result.mutant.id);
    if (ids.empty())
      return;
    const auto tables = compare_mutants_of(ids, records_ / "compared");
    for (auto& [key, one] : switches_)
      for (Switch::Place& place : one.places)
        if (const auto table = tables.find(place.folder); table != tables.end())
          if (const auto found =
                  std::ranges::find(table->second.mutants, place.number, &model::Mutant::number);
              found != table->second.mutants.end()) {
            place.equivalent = found->equivalent;
            place.duplicate_of = found->duplicate_of;
          }
    for (const auto& [folder, table] : tables)
      mutation_.not_mutated.insert(mutation_.not_mutated.end(), table.not_mutated.begin(),
                                   table.not_mutated.end());
    mark(survived);
    for (MutantResult& result : mutation_.results)
      if (survived(result))
        decide(result);
  }

  // Kills survivors of synchronisation that make a race.
  void check_survivors() {
    RaceChecks checks(run_.name, std::bind_front(&MutationRun::child_of, this), records_ / "races");
    for (MutantResult& result : mutation_.results) {
      if (result.verdict != Verdict::Survived || !result.mutant.synchronisation)
        continue;
      const auto race = checks.race_of(switch_of(result.mutant).active());
      if (!race)
        continue;
      result.verdict = Verdict::Killed;
      result.reason = KillReason::Race;
      result.detail = *race;
      name_killer(result);
    }
  }

  // Returns the budget of loops. Threads that wait for each other may wait longer another time.
  std::uint32_t budget() const {
    constexpr std::uint64_t kFactor = 10, kExtra = 1'000'000;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kFactor * iterations_ + kExtra, 0xfffffffe));
  }

  const Switch& switch_of(const model::Mutant& mutant) const {
    return switches_.at(key_of(mutant));
  }

  void run_mutants() {
    CudaOutcomes outcomes(run_, records_ / "original", settings_.real("timeout-factor"), fresh_);
    std::vector<std::size_t> known;
    // With the number of times that others ended it.
    std::deque<std::pair<std::size_t, unsigned>> queue;
    for (std::size_t i = 0; i < mutation_.results.size(); ++i) {
      MutantResult& result = mutation_.results[i];
      if (result.mutant.ignored) {
        result.verdict = Verdict::Ignored;
        result.detail = result.mutant.ignore_reason;
      } else if (decide(result)) {
        continue;
      } else if (!switch_of(result.mutant).reached) {
        result.verdict = Verdict::NoCoverage;
      } else {
        result.reached_by = {run_.name};
        if (outcomes.take(result))
          known.push_back(i);
        else
          queue.emplace_back(i, 0);
      }
    }
    std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
    if (run_.device == "gpu")
      jobs = std::min(jobs, kJobsOfGpu);
    model::MutationProgress progress(run_.name, known.size() + queue.size());
    for (const std::size_t i : known) {
      name_killer(mutation_.results[i]);
      progress.add(mutation_.results[i].verdict, false);
    }
    const auto start = std::chrono::steady_clock::now();
    if (run_.device == "gpu" && !whole_runs_)
      run_forks(queue, outcomes, progress);
    program::Children children;
    std::map<std::size_t, unsigned> tries;
    while (!queue.empty() || children.count() > 0) {
      while (!queue.empty() && children.count() < jobs) {
        const auto [index, before] = queue.front();
        queue.pop_front();
        tries[index] = before;
        begin(children, index);
      }
      const auto [index, result] = children.wait();
      const fs::path folder = records_ / std::to_string(index);
      Ended ended{.result = result, .endless = used_budget(folder)};
      ended.disturbance = process::disturbance(result, folder / kLost);
      fs::remove_all(folder);
      if (!ended.disturbance.empty() && tries[index] + 1 < process::kTries) {
        queue.emplace_front(index, tries[index] + 1);
        continue;
      }
      finish(index, ended, outcomes, progress);
    }
    mutation_.seconds = seconds_since(start);
  }

  // Leaves in the queue the mutants that need a process of their own.
  void run_forks(std::deque<std::pair<std::size_t, unsigned>>& queue, CudaOutcomes& outcomes,
                 model::MutationProgress& progress) {
    std::deque<ForkRun> runs;
    for (const auto& [index, before] : queue)
      runs.push_back({.number = index,
                      .mutant = switch_of(mutation_.results[index].mutant).active(),
                      .budget = budget(),
                      .timeout = timeout()});
    std::string why;
    const auto done = [&](const ForkRun& run, const ForkOutcome& outcome) {
      finish(run.number,
             {.result = outcome.result,
              .endless = outcome.is_endless,
              .disturbance = outcome.result.by_others() ? outcome.result.text() : std::string()},
             outcomes, progress);
    };
    const std::vector<ForkRun> left =
        run_in_forks(run_, records_, std::exchange(runs, {}), done, why);
    queue.clear();
    for (const ForkRun& run : left)
      queue.emplace_back(run.number, 0);
    if (!why.empty() && mutation_.executed == 0 && !run_.quiet)
      fmt::print(stderr, "{}: a process of its own for each mutant: {}\n", run_.name, why);
  }

  struct Ended {
    program::ChildResult result;
    bool endless = false;
    std::string disturbance{}; // how others have ended it; empty: they have not
  };

  void finish(std::size_t index, const Ended& ended, CudaOutcomes& outcomes,
              model::MutationProgress& progress) {
    judge(mutation_.results[index], ended);
    if (mutation_.results[index].verdict != Verdict::Undecided)
      outcomes.put(mutation_.results[index]);
    ++mutation_.executed;
    progress.add(mutation_.results[index].verdict, true);
  }

  double timeout() const {
    return std::max(program::kShortestLimit, settings_.real("timeout-factor") * seconds_) +
           first_seconds_;
  }

  program::ChildSettings child_of(const std::string& mutant, const fs::path& folder) const {
    program::ChildSettings child = child_with(run_, "mutants", folder);
    child.environment["GPUTEST_CUDA_MUTANT"] = mutant;
    child.environment["GPUTEST_CUDA_BUDGET"] = std::to_string(budget());
    process::watch_simulator(child, folder / kLost);
    child.output = folder / "output";
    child.timeout = timeout();
    return child;
  }

  void begin(program::Children& children, std::size_t index) const {
    children.start(index, child_of(switch_of(mutation_.results[index].mutant).active(),
                                   records_ / std::to_string(index)));
  }

  bool used_budget(const fs::path& records) const {
    return std::ranges::any_of(read_records(records, run_.tables), [](const UnitRecord& unit) {
      return unit.state.size() > model::kCudaEvents &&
             (unit.state[model::kCudaEvents] & model::kCudaBudgetEvent) != 0;
    });
  }

  void judge(MutantResult& one, const Ended& ended) const {
    const program::ChildResult& result = ended.result;
    one.runs = 1;
    one.seconds = result.seconds;
    one.detail = result.text();
    if (ended.endless) {
      one.verdict = Verdict::Timeout;
      one.detail =
          fmt::format("a loop had not ended after {} iterations; without the mutant {} are "
                      "the most",
                      budget(), iterations_);
    } else if (result.timed_out) {
      one.verdict = Verdict::Timeout;
    } else if (!ended.disturbance.empty()) {
      one.verdict = Verdict::Undecided;
      one.detail =
          ended.disturbance + ", several times in a row, by somebody else or for want of memory";
    } else if (result.signal != 0 || result.exit_code != 0) {
      one.verdict = Verdict::Killed;
      one.reason = result.signal != 0 ? KillReason::Crash : KillReason::ProgramFailed;
    } else {
      one.verdict = Verdict::Survived;
      one.detail = "the program does not notice";
    }
    name_killer(one);
  }

  void name_killer(MutantResult& one) const {
    if (one.verdict == Verdict::Killed || one.verdict == Verdict::Timeout)
      one.killed_by = {run_.name};
  }

  const CudaRun& run_;
  const model::Settings& settings_;
  fs::path records_, root_ = fs::current_path();
  std::vector<std::string> operators_;
  model::Mutation mutation_;
  std::map<std::string, Switch> switches_; // by file and id
  bool fresh_ = false, whole_runs_ = false;
  std::set<fs::path> not_compared_; // sources with very many mutants
  // The most iterations in one execution of a function, without a mutant.
  std::uint32_t iterations_ = 0;
  double first_seconds_ = 0, seconds_ = 0;
};

} // namespace

void check_cuda_mutation(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  try {
    model::select_operators(settings.names("operators"));
  } catch (const std::invalid_argument& error) {
    throw CommandError(fmt::format("error: OPERATORS: {}", error.what()));
  }
  mutation_threshold(arguments, settings);
}

int run_cuda_mutation(const CudaRun& run, const model::Settings& settings,
                      const cxxopts::ParseResult& arguments) {
  const fs::path file = run.output / model::result_file_of("mutation");
  fs::remove(file);
  MutationRun mutants(run, settings, arguments);
  try {
    if (const std::string problem = mutants.run(); !problem.empty()) {
      fmt::print(stderr, "error: {}\n", problem);
      return Failed;
    }
  } catch (const store::StoreError& error) {
    throw CommandError(error.what(), error.exit_code() == 2 ? WrongInput : Internal);
  }
  model::write_mutation(mutants.mutation(), file);
  Outputs outputs(arguments);
  return report_mutation(arguments, settings, {file}, outputs);
}

} // namespace gputest::driver
