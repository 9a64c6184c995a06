// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run-cuda --mutation: the program runs once for each mutant of its device code and of its
// launches, and the oracle says whether it notices.
#include "model/mutation/mutation.h"
#include "driver/command_error.h"
#include "driver/cuda/forks.h"
#include "driver/cuda/mutants.h"
#include "driver/cuda/outcomes.h"
#include "driver/cuda/race_checks.h"
#include "driver/cuda/records.h"
#include "driver/cuda/run.h"
#include "driver/cuda/undisturbed.h"
#include "driver/oracle_arguments.h"
#include "driver/report/mutation.h"
#include "driver/run/repeated_runs.h"
#include "driver/weak_oracle.h"
#include "model/analyses.h"
#include "model/clock.h"
#include "model/files.h"
#include "model/mutation/cuda_state.h"
#include "model/mutation/operators.h"
#include "model/mutation/progress.h"
#include "program/cuda_reads.h"
#include "program/oracle.h"
#include "program/repeated_program.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <thread>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using model::KillReason;
using model::MutantResult;
using model::Verdict;

constexpr const char* kLost = "simulator-lost"; // a file among a mutant's records
constexpr std::size_t kJobsOfGpu = 8;           // processes that share one GPU; more are no faster

class MutationRun {
public:
  MutationRun(const CudaRun& run, const model::Settings& settings,
              const cxxopts::ParseResult& arguments)
      : run_(run), settings_(settings), records_(run.output / "mutation-records"),
        mutants_(mutation_, arguments.count("source-root") > 0
                                ? fs::path(arguments["source-root"].as<std::string>())
                                : fs::current_path()),
        oracle_(run.oracle), reads_(run.oracle.tolerance) {
    mutation_.name = mutation_.kernel = run.name;
    mutation_.device = run.device;
    mutation_.cases = {run.name};
    mutation_.operators = model::select_operators(settings.names("operators"));
    mutation_.oracle = model::text_of(run.oracle);
    mutation_.threshold = mutation_threshold(arguments, settings);
    mutation_.repeat = 1;
    fresh_ = settings.given("fresh");
    whole_runs_ = settings.given("whole-runs");
    input_from_ = program::repeatable_input();
  }

  // Returns what is wrong; empty: nothing.
  std::string run() {
    if (std::string problem = run_original(); !problem.empty())
      return problem;
    run_mutants();
    mutants_.compare_survivors(records_ / "compared");
    if (run_.device == "simulator")
      check_survivors();
    fs::remove_all(records_);
    return "";
  }

  const model::Mutation& mutation() const { return mutation_; }
  std::string note() const { return oracle_.note(); }

private:
  // Runs the original at least twice, because kernels are compiled during the first run. Returns
  // what is wrong.
  std::string run_original() {
    const auto refused = [&](const std::string& why) {
      return fmt::format("{}: no mutant was run, because without one {}", run_.name, why);
    };
    const unsigned usual =
        settings_.given("baseline") ? static_cast<unsigned>(settings_.whole("baseline")) : 2;
    for (unsigned i = 0; i < oracle_.baseline(usual); ++i) {
      const fs::path folder = records_ / "original", printed = folder / "output";
      const program::ChildResult result =
          run_undisturbed(run_.name, run_.output / "simulator-lost", [&] { return child(folder); });
      const std::string output = model::read_text(printed).value_or("");
      if (const std::string problem = oracle_.add_original(result, output); !problem.empty()) {
        fmt::print("{}", output);
        return refused(problem == result.text() ? "it failed: " + problem : problem);
      }
      reads_.add(program::read_cuda_reads(folder, keeps_values()));
      (i == 0 ? first_seconds_ : seconds_) = result.seconds;
    }
    if (const std::string problem = oracle_.problem(); !problem.empty())
      return refused(problem);
    if (run_.oracle.reads && reads_.hashes().count() == 0)
      return refused("it reads nothing back that ORACLE READS could compare");
    const std::vector<UnitRecord> units = read_records(records_ / "original", run_.tables);
    if (std::ranges::none_of(units, [](const UnitRecord& unit) { return unit.launches > 0; }))
      return nothing_recorded(run_, "MUTATION");
    for (const UnitRecord& unit : units) {
      if (!unit.lost.empty())
        return fmt::format("{}: no mutant was run, because the GPU has lost what the program "
                           "reaches: {}",
                           run_.name, unit.lost);
      mutants_.add(unit);
    }
    for (const UnitRecord& unit : units)
      if (unit.state.size() > model::kCudaIterations)
        iterations_ = std::max(iterations_, unit.state[model::kCudaIterations]);
    if (const auto wanted = settings_.names("mutant"); !wanted.empty())
      if (const std::string unknown = mutants_.keep(wanted); !unknown.empty())
        return fmt::format("{}: --mutant: '{}' is no mutant that is wanted", run_.name, unknown);
    mutation_.population = mutation_.results.size();
    if (const auto count = settings_.given_whole("sample"))
      mutants_.keep_sample(*count, static_cast<unsigned>(settings_.whole("seed")));
    // After the selection, so that duplicates of mutants that are left out run.
    mutants_.mark([](const MutantResult&) { return true; });
    if (!mutation_.results.empty())
      mutation_.source = mutation_.results.front().mutant.file;
    return "";
  }

  // Kills survivors of synchronisation that make a race.
  void check_survivors() {
    RaceChecks checks(run_.name, std::bind_front(&MutationRun::child_of, this), records_ / "races");
    for (MutantResult& result : mutation_.results) {
      if (result.verdict != Verdict::Survived || !result.mutant.synchronisation)
        continue;
      const auto race = checks.race_of(mutants_.switch_of(result.mutant).active());
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

  void run_mutants() {
    const fs::path store =
        settings_.given("store") ? fs::path(settings_.text("store")) : run_.output / "results.db";
    CudaOutcomes outcomes(run_, store, records_ / "original", settings_.real("timeout-factor"),
                          fresh_);
    std::vector<std::size_t> known;
    // With the number of times that others ended it.
    std::deque<std::pair<std::size_t, unsigned>> queue;
    for (std::size_t i = 0; i < mutation_.results.size(); ++i) {
      MutantResult& result = mutation_.results[i];
      if (result.mutant.ignored) {
        result.verdict = Verdict::Ignored;
        result.detail = result.mutant.ignore_reason;
      } else if (CudaMutants::decide(result)) {
        continue;
      } else if (!mutants_.switch_of(result.mutant).reached) {
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
    jobs = settings_.given_whole("jobs").value_or(static_cast<unsigned>(jobs));
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
      Ended ended{.result = result,
                  .endless = used_budget(folder),
                  .output = model::read_text(folder / "output").value_or(""),
                  .difference =
                      reads_.difference(program::read_cuda_reads(folder, keeps_values()))};
      if (is_disturbed(result, folder / kLost))
        ended.disturbance = disturbance(result, folder / kLost);
      fs::remove_all(folder);
      if (!ended.disturbance.empty() && tries[index] + 1 < program::kChildTries) {
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
                      .mutant = mutants_.switch_of(mutation_.results[index].mutant).active(),
                      .budget = budget(),
                      .timeout = timeout()});
    std::string why;
    const auto done = [&](const ForkRun& run, const ForkOutcome& outcome) {
      finish(run.number,
             {.result = outcome.result,
              .endless = outcome.is_endless,
              .output = outcome.output,
              .disturbance =
                  outcome.result.is_ended_by_others() ? outcome.result.text() : std::string()},
             outcomes, progress);
    };
    const std::vector<ForkRun> left =
        run_in_forks(run_, records_, std::exchange(runs, {}), oracle_, done, why);
    queue.clear();
    for (const ForkRun& run : left)
      queue.emplace_back(run.number, 0);
    if (!why.empty() && mutation_.executed == 0 && !run_.quiet)
      fmt::print(stderr, "{}: a process of its own for each mutant: {}\n", run_.name, why);
  }

  struct Ended {
    program::ChildResult result;
    bool endless = false;
    std::string output{};      // what it printed
    std::string difference{};  // how what it read back differs; empty: it does not
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

  bool keeps_values() const { return run_.oracle.reads && run_.oracle.tolerance > 0; }

  // A run of the original.
  program::ChildSettings child(const fs::path& folder) const {
    program::ChildSettings child = child_with(run_, "mutants", folder);
    child.environment[program::kCudaReads] = program::cuda_reads_wanted(keeps_values());
    child.output = folder / "output";
    child.input_from = input_from_;
    return child;
  }

  program::ChildSettings child_of(const std::string& mutant, const fs::path& folder) const {
    program::ChildSettings child = this->child(folder);
    child.environment["GPUTEST_CUDA_MUTANT"] = mutant;
    child.environment["GPUTEST_CUDA_BUDGET"] = std::to_string(budget());
    watch_simulator(child, folder / kLost);
    child.timeout = timeout();
    return child;
  }

  void begin(program::Children& children, std::size_t index) const {
    children.start(index, child_of(mutants_.switch_of(mutation_.results[index].mutant).active(),
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
    } else {
      const program::RunVerdict verdict = oracle_.judge(result, ended.output, ended.difference);
      one.verdict = verdict.verdict;
      one.reason = verdict.reason;
      one.detail = verdict.detail.empty() ? "the program does not notice" : verdict.detail;
    }
    name_killer(one);
  }

  void name_killer(MutantResult& one) const {
    if (one.verdict == Verdict::Killed || one.verdict == Verdict::Timeout)
      one.killed_by = {run_.name};
  }

  const CudaRun& run_;
  const model::Settings& settings_;
  fs::path records_;
  model::Mutation mutation_;
  CudaMutants mutants_;
  program::ProgramOracle oracle_;
  program::CudaReadBaseline reads_;
  std::optional<std::int64_t> input_from_;
  bool fresh_ = false, whole_runs_ = false;
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
  check_repeated_runs(settings);
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
  print_oracle_note(run.name, mutants.note());
  model::write_mutation(mutants.mutation(), file);
  Outputs outputs(arguments);
  const ExitCode outcome = report_mutation(arguments, settings, {file}, outputs);
  if (!run.quiet)
    print_weak({&mutants.mutation(), 1});
  return outcome;
}

} // namespace gputest::driver
