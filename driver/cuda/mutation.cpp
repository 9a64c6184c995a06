// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --mutation for CUDA programs: the mutants of their device code and of their launches.
#include "program/mutation.h"
#include "driver/command_error.h"
#include "driver/cuda/forks.h"
#include "driver/cuda/mutants.h"
#include "driver/cuda/race_checks.h"
#include "driver/cuda/records.h"
#include "driver/cuda/run.h"
#include "driver/cuda/store_key.h"
#include "driver/report/mutation.h"
#include "driver/run/mutation.h"
#include "driver/run/repeated_runs.h"
#include "model/files.h"
#include "model/mutation/cuda_state.h"
#include "model/operators.h"
#include "process/undisturbed.h"
#include "program/cuda_reads.h"
#include "program/repeated_program.h"
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <thread>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using model::KillReason;
using model::MutantResult;
using model::Verdict;
using program::MutantTrial;
using program::PlainRunFailed;
using program::TrialOutcome;

constexpr const char* kLost = "simulator-lost"; // a file among a mutant's records
constexpr std::size_t kJobsOfGpu = 8;           // processes that share one GPU; more are no faster

class CudaMutation : public program::MutatedProgram {
public:
  CudaMutation(const CudaRun& run, const model::Settings& settings,
               const cxxopts::ParseResult& arguments)
      : run_(run), settings_(settings), records_(run.output / "mutation-records"),
        mutants_(arguments.count("source-root") > 0
                     ? fs::path(arguments["source-root"].as<std::string>())
                     : fs::current_path(),
                 settings.text("since")),
        reads_(run.oracle.tolerance), input_from_(program::repeatable_input()) {
    mutation_.name = mutation_.kernel = run.name;
    mutation_.device = run.device;
    mutation_.cases = {run.name};
    mutation_.operators = model::select_operators(settings.names("operators"));
    mutation_.threshold = mutation_threshold(arguments, settings);
    mutation_.repeat = 1;
    mutation_.since = settings.text("since");
  }

  const fs::path& records() const { return records_; }

  std::optional<std::vector<model::Mutation>> measure(program::ProgramOracle& oracle) override {
    run_original(oracle);
    oracle_ = &oracle;
    find_mutants();
    for (MutantResult& result : mutation_.results) {
      if (result.mutant.ignored) {
        result.verdict = Verdict::Ignored;
        result.detail = result.mutant.ignore_reason;
      } else if (CudaMutants::decide(result)) {
        continue;
      } else if (!mutants_.switch_of(result.mutant).reached) {
        result.verdict = Verdict::NoCoverage;
      } else {
        result.reached_by = {run_.name};
      }
    }
    return std::vector{std::move(mutation_)};
  }

  std::string key_of(std::size_t /*source*/) const override {
    return store_key(run_, records_ / "original", settings_.real("timeout-factor"));
  }
  std::string case_of(const MutantResult& result) const override {
    return store::content_hash(result.mutant.file);
  }

  program::ChildSettings child(const MutantTrial& trial, const fs::path& folder) override {
    return child_of(active(trial), folder);
  }

  std::string disturbance(const program::ChildResult& result,
                          const fs::path& folder) const override {
    return process::disturbance(result, folder / kLost);
  }

  TrialOutcome judge(const MutantTrial& /*trial*/, const program::ChildResult& result,
                     const fs::path& folder) override {
    return judged(
        {.result = result,
         .endless = used_budget(folder),
         .output = model::read_text(folder / "output").value_or(""),
         .difference = reads_.difference(program::read_cuda_reads(folder, keeps_values())),
         .disturbance = process::disturbance(result, folder / kLost)});
  }

  // On a GPU in forks. Those that need a process of their own are left.
  std::deque<MutantTrial> run_faster(std::deque<MutantTrial> trials, const Done& done) override {
    if (run_.device != "gpu")
      return trials;
    std::deque<ForkRun> runs;
    for (std::size_t i = 0; i < trials.size(); ++i)
      runs.push_back(
          {.number = i, .mutant = active(trials[i]), .budget = budget(), .timeout = timeout()});
    std::string why;
    std::size_t ended = 0;
    const auto of_fork = [&](const ForkRun& run, const ForkOutcome& outcome) {
      ++ended;
      done(trials[run.number],
           judged({.result = outcome.result,
                   .endless = outcome.is_endless,
                   .output = outcome.output,
                   .disturbance =
                       outcome.result.by_others() ? outcome.result.text() : std::string()}));
    };
    std::deque<MutantTrial> left;
    for (const ForkRun& run : run_in_forks(run_, records_, std::move(runs), *oracle_, of_fork, why))
      left.push_back(trials[run.number]);
    if (!why.empty() && ended == 0 && !run_.quiet)
      fmt::print(stderr, "{}: a process of its own for each mutant: {}\n", run_.name, why);
    return left;
  }

  // Compares survivors that have not been compared, and checks those of synchronisation for races.
  void finish(std::vector<model::Mutation>& sources) override {
    model::Mutation& mutation = sources.front();
    mutants_.compare_survivors(mutation, records_ / "compared");
    if (run_.device != "simulator" || settings_.given("no-simulator"))
      return;
    RaceChecks checks(run_.name, std::bind_front(&CudaMutation::child_of, this),
                      records_ / "races");
    for (MutantResult& result : mutation.results) {
      if (result.verdict != Verdict::Survived || !result.mutant.synchronisation)
        continue;
      const auto race = checks.race_of(mutants_.switch_of(result.mutant).active());
      if (!race)
        continue;
      result.verdict = Verdict::Killed;
      result.reason = KillReason::Race;
      result.detail = *race;
      result.killed_by = {run_.name};
    }
  }

private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw PlainRunFailed(fmt::format("{}: no mutant was run, because {}", run_.name, why));
  }

  // Runs the original at least twice, because kernels are compiled during the first run.
  void run_original(program::ProgramOracle& oracle) {
    const unsigned usual =
        settings_.given("baseline") ? static_cast<unsigned>(settings_.whole("baseline")) : 2;
    const fs::path folder = records_ / "original";
    for (unsigned i = 0; i < oracle.baseline(usual); ++i) {
      const program::ChildResult result = process::run_undisturbed(
          run_.name, run_.output / "simulator-lost", [&] { return original(folder); });
      const std::string output = model::read_text(folder / "output").value_or("");
      if (const std::string problem = oracle.add_original(result, output); !problem.empty()) {
        fmt::print("{}", output);
        refuse("without one " + (problem == result.text() ? "it failed: " + problem : problem));
      }
      reads_.add(program::read_cuda_reads(folder, keeps_values()));
      (i == 0 ? first_seconds_ : seconds_) = result.seconds;
    }
    if (const std::string problem = oracle.problem(); !problem.empty())
      refuse("without one " + problem);
    if (run_.oracle.reads && reads_.hashes().count() == 0)
      refuse("without one it reads nothing back that ORACLE READS could compare");
  }

  void find_mutants() {
    const std::vector<UnitRecord> units = read_records(records_ / "original", run_.tables);
    if (std::ranges::none_of(units, [](const UnitRecord& unit) { return unit.launches > 0; }))
      throw PlainRunFailed(nothing_recorded(run_, "MUTATION"));
    for (const UnitRecord& unit : units) {
      if (!unit.lost.empty())
        refuse("the GPU has lost what the program reaches: " + unit.lost);
      mutants_.add(unit, mutation_);
      if (unit.state.size() > model::kCudaIterations)
        iterations_ = std::max(iterations_, unit.state[model::kCudaIterations]);
    }
    if (const auto wanted = settings_.names("mutant"); !wanted.empty())
      if (const std::string unknown = CudaMutants::keep(wanted, mutation_); !unknown.empty())
        throw PlainRunFailed(
            fmt::format("{}: --mutant: '{}' is no mutant that is wanted", run_.name, unknown));
    mutation_.population = mutation_.results.size();
    if (const auto count = settings_.given_whole("sample"))
      CudaMutants::keep_sample(*count, static_cast<unsigned>(settings_.whole("seed")), mutation_);
    // After the selection, so that duplicates of mutants that are left out run.
    mutants_.mark(mutation_, [](const MutantResult&) { return true; });
    if (!mutation_.results.empty())
      mutation_.source = mutation_.results.front().mutant.file;
  }

  // Returns the budget of loops. Threads that wait for each other may wait longer another time.
  std::uint32_t budget() const {
    constexpr std::uint64_t kFactor = 10, kExtra = 1'000'000;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kFactor * iterations_ + kExtra, 0xfffffffe));
  }

  double timeout() const {
    return std::max(program::kShortestLimit, settings_.real("timeout-factor") * seconds_) +
           first_seconds_;
  }

  bool keeps_values() const { return run_.oracle.reads && run_.oracle.tolerance > 0; }

  std::string active(const MutantTrial& trial) const {
    return mutants_.switch_of(trial.result->mutant).active();
  }

  program::ChildSettings original(const fs::path& folder) const {
    program::ChildSettings child = child_with(run_, "mutants", folder);
    if (run_.device == "simulator") // on a GPU nothing records them
      child.environment[program::kCudaReads] = program::cuda_reads_wanted(keeps_values());
    child.output = folder / "output";
    child.input_from = input_from_;
    return child;
  }

  program::ChildSettings child_of(const std::string& mutant, const fs::path& folder) const {
    program::ChildSettings child = original(folder);
    child.environment["GPUTEST_CUDA_MUTANT"] = mutant;
    child.environment["GPUTEST_CUDA_BUDGET"] = std::to_string(budget());
    process::watch_simulator(child, folder / kLost);
    child.timeout = timeout();
    return child;
  }

  bool used_budget(const fs::path& records) const {
    return std::ranges::any_of(read_records(records, run_.tables), [](const UnitRecord& unit) {
      return unit.state.size() > model::kCudaEvents &&
             (unit.state[model::kCudaEvents] & model::kCudaBudgetEvent) != 0;
    });
  }

  struct Ended {
    program::ChildResult result;
    bool endless = false;
    std::string output{};      // what it printed
    std::string difference{};  // how what it read back differs; empty: it does not
    std::string disturbance{}; // how others have ended it; empty: they have not
  };

  TrialOutcome judged(const Ended& ended) const {
    const program::ChildResult& result = ended.result;
    TrialOutcome outcome{.seconds = result.seconds};
    if (ended.endless) {
      outcome.verdict = {Verdict::Timeout, std::nullopt,
                         fmt::format("a loop had not ended after {} iterations; without the mutant "
                                     "{} are the most",
                                     budget(), iterations_)};
    } else if (result.timed_out) {
      outcome.verdict = {Verdict::Timeout, std::nullopt, result.text()};
    } else if (!ended.disturbance.empty()) {
      outcome.is_known = false;
      outcome.verdict = {Verdict::Undecided, std::nullopt,
                         ended.disturbance + ", several times in a row, by somebody else or for "
                                             "want of memory"};
    } else {
      outcome.verdict = oracle_->judge(result, ended.output, ended.difference);
      if (outcome.verdict.detail.empty())
        outcome.verdict.detail = "the program does not notice";
    }
    return outcome;
  }

  const CudaRun& run_;
  const model::Settings& settings_;
  fs::path records_;
  model::Mutation mutation_; // until measure() returns it
  CudaMutants mutants_;
  const program::ProgramOracle* oracle_ = nullptr; // knows the original
  program::CudaReadBaseline reads_;
  std::optional<std::int64_t> input_from_;
  // The most iterations in one execution of a function, without a mutant.
  std::uint32_t iterations_ = 0;
  double first_seconds_ = 0, seconds_ = 0;
};

std::size_t jobs_of(const CudaRun& run, const model::Settings& settings) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return settings.given_whole("jobs").value_or(
      static_cast<unsigned>(run.device == "gpu" ? std::min(cores, kJobsOfGpu) : cores));
}

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
  CudaMutation mutants(run, settings, arguments);
  const program::EngineSettings engine{.name = run.name,
                                       .oracle = run.oracle,
                                       .folder = mutants.records(),
                                       .store = store_of(run.output, settings),
                                       .jobs = jobs_of(run, settings),
                                       .fresh = settings.given("fresh"),
                                       .whole_runs = settings.given("whole-runs")};
  try {
    return run_mutants_of(mutants, engine, {.output = run.output}, settings, arguments);
  } catch (const PlainRunFailed& failure) {
    fmt::print(stderr, "error: {}\n", failure.what());
    return Failed;
  }
}

} // namespace gputest::driver
