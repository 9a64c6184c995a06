// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/mutation.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/oracle_arguments.h"
#include "driver/report/mutation.h"
#include "driver/run/coverage.h"
#include "driver/run/no_device.h"
#include "driver/run/repeated_runs.h"
#include "driver/weak_oracle.h"
#include "model/analyses.h"
#include "model/files.h"
#include "model/mutation/progress.h"
#include "model/mutation/worth.h"
#include "model/operators.h"
#include "program/opencl/mutants.h"
#include "store/store.h"

#include <fmt/format.h>
#include <iostream>
#include <map>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

program::MutationSettings settings_of(const ProgramRun& prepared, const model::Settings& given,
                                      const cxxopts::ParseResult& arguments) {
  program::MutationSettings settings;
  settle(settings, prepared, given);
  settings.wanted = wanted_mutants(given);
  settings.threshold = mutation_threshold(arguments, given);
  if (const fs::path judge = place_of_simulator(); fs::is_regular_file(judge))
    settings.judge = judge;
  settings.checks_races = !given.given("no-simulator");
  return settings;
}

// Prints how many mutants each oracle finds.
void print_oracles(const program::OpenClMutants& mutants, const program::MutatedRuns& result) {
  std::uint64_t noticed = 0, stopped = 0, reads = 0, weak = 0;
  for (const model::Mutation& mutation : result.sources)
    for (const model::MutantResult& one : mutation.results) {
      const bool by_program = one.verdict == model::Verdict::Timeout ||
                              (one.reason && (*one.reason == model::KillReason::ProgramFailed ||
                                              *one.reason == model::KillReason::Crash));
      const bool by_reads = one.reason == model::KillReason::WrongOutput;
      noticed += by_program ? 1 : 0;
      reads += by_reads ? 1 : 0;
      weak += program::is_weak(one) ? 1 : 0;
      stopped += one.verdict == model::Verdict::Killed && !by_program && !by_reads ? 1 : 0;
    }
  std::cout << fmt::format("\nthe program noticed {}; {} more were stopped where they did harm; {} "
                           "changed what it reads back and were not noticed\n",
                           noticed, stopped, weak);
  if (reads > 0)
    std::cout << fmt::format("{} changed what it reads back, which the oracle compares\n", reads);
  if (result.tried > 0)
    std::cout << fmt::format("for {} no run of the program was needed: its launches told\n",
                             result.tried);
  for (const std::string& reason : mutants.untried())
    std::cout << fmt::format("mutants not tried on launches: {}\n", reason);
  if (!mutants.unchecked().empty())
    std::cout << fmt::format("survivors of synchronisation were not checked for races: {}\n",
                             mutants.unchecked());
  print_varying(mutants.varying(), mutants.reads());
}

// Prints the harm that the program's kernels do without any mutant.
void print_harm(const program::MutatedRuns& result) {
  for (const model::Mutation& mutation : result.sources)
    for (const model::NotInstrumented& entry : mutation.not_mutated)
      if (entry.construct == model::kHarmOfOriginal)
        std::cout << fmt::format("{}:{}:{}: warning: {}: {}\n", entry.file, entry.line,
                                 entry.column, entry.construct, entry.reason);
}

// Returns the verdicts of the last run, by id.
std::map<std::string, model::Verdict> last_verdicts(const fs::path& file) {
  std::map<std::string, model::Verdict> verdicts;
  try {
    if (fs::is_regular_file(file))
      for (const model::Mutation& mutation : model::read_mutations(file))
        verdicts.merge(model::verdicts_by_id(mutation));
  } catch (const model::FormatError&) { // of another version
    verdicts.clear();
  }
  return verdicts;
}

} // namespace

void check_mutation_run(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  wanted_mutants(settings);
  mutation_threshold(arguments, settings);
  check_repeated_runs(settings);
}

program::WantedMutants wanted_mutants(const model::Settings& settings) {
  program::WantedMutants wanted{.operators = {},
                                .ids = settings.names("mutant"),
                                .files = settings.names("files"),
                                .functions = settings.names("functions"),
                                .since = settings.text("since"),
                                .sample = settings.given_whole("sample"),
                                .seed = static_cast<unsigned>(settings.whole("seed"))};
  try {
    wanted.operators = model::select_operators(settings.names("operators"));
  } catch (const std::invalid_argument& error) {
    throw CommandError(fmt::format("error: --operators: {}", error.what()));
  }
  if (const std::string text = settings.text("shard"); settings.given("shard")) {
    const auto shard = model::shard_in(text);
    if (!shard)
      throw CommandError(
          fmt::format("error: --shard '{}': give K/N, the K-th of N parts, such as 1/4", text));
    wanted.shard = *shard;
  }
  return wanted;
}

fs::path store_of(const fs::path& output, const model::Settings& settings) {
  return settings.given("store") ? fs::path(settings.text("store")) : output / "results.db";
}

int run_mutants_of(program::MutatedProgram& mutants, program::EngineSettings engine,
                   const MutantReport& report, const model::Settings& settings,
                   const cxxopts::ParseResult& arguments) {
  const fs::path file = report.output / model::result_file_of("mutation");
  engine.time_limit = settings.given_seconds("time-limit");
  if (engine.time_limit) {
    engine.root = arguments.count("source-root") > 0
                      ? fs::path(arguments["source-root"].as<std::string>())
                      : fs::current_path();
    engine.last = last_verdicts(file);
  }
  fs::remove(file);
  std::optional<model::MutationProgress> progress;
  program::MutatedRuns runs;
  try {
    runs = program::run_mutants(
        mutants, engine, [&](std::size_t total, const model::MutantResult& found, bool has_run) {
          if (!progress)
            progress.emplace(engine.name, total);
          progress->add(found.verdict, has_run);
        });
  } catch (const model::SettingError& error) { // of SINCE
    throw CommandError(fmt::format("error: {}", error.what()));
  } catch (const store::StoreError& error) {
    throw CommandError(error.what(), error.exit_code() == 2 ? WrongInput : Internal);
  }
  progress.reset();
  if (report.before)
    report.before();
  print_oracle_note(engine.name, runs.note);
  if (runs.skipped) {
    fmt::print(stderr, "skipped: {} found no device\n", engine.name);
    return program::kSkipped;
  }
  model::write_atomically(file, model::text_of(runs.sources));
  Outputs outputs(arguments);
  const ExitCode outcome = report_mutation(arguments, settings, {file}, outputs);
  if (arguments.count("no-terminal") == 0) {
    if (report.after)
      report.after(runs);
    print_weak(runs.sources);
    std::cout << std::flush;
  }
  return outcome;
}

int run_mutation(const ProgramRun& prepared, const model::Settings& given,
                 const cxxopts::ParseResult& arguments) {
  const program::MutationSettings settings = settings_of(prepared, given, arguments);
  const program::EngineSettings engine{.name = prepared.name,
                                       .oracle = prepared.oracle,
                                       .folder = folder_of_mutants(settings),
                                       .store = store_of(prepared.output, given),
                                       .jobs = settings.jobs,
                                       .fresh = given.given("fresh"),
                                       .whole_runs = given.given("whole-runs")};
  program::OpenClMutants mutants(settings);
  const MutantReport report{.output = prepared.output,
                            .before = [&] { print_not_measured(mutants.not_measured()); },
                            .after =
                                [&](const program::MutatedRuns& runs) {
                                  print_oracles(mutants, runs);
                                  print_harm(runs);
                                }};
  try {
    return run_mutants_of(mutants, engine, report, given, arguments);
  } catch (const program::PlainRunFailed& failure) {
    fmt::print(stderr, "error: {}: no mutant was run, because without one {}{}\n", prepared.name,
               failure.what(), no_device_hint());
    return Failed;
  } catch (const program::MutantsDiffer& difference) {
    const model::Opinion& opinion = difference.opinion();
    if (opinion.guilty != model::Guilty::Unknown)
      throw CommandError(
          fmt::format("error: {}: {}", prepared.name,
                      model::blame_text(opinion, difference.what(),
                                        {.name = "the text with all mutants of its kernels",
                                         .inactive = ", without a mutant,",
                                         .lost = "no mutant was run"})),
          model::is_finding(opinion.guilty) ? Failed : Internal);
    throw CommandError(
        fmt::format("error: {}: its kernels with all mutants, none of them active, compute "
                    "something else than its own, so that no mutant was run: {}\nEither the "
                    "device's compiler translates one of them wrongly, or this is an error of "
                    "gputest, unless work-items race for that memory (gputest run --check tells). "
                    "Please report it, with the kernels",
                    prepared.name, difference.what()),
        Internal);
  }
}

} // namespace gputest::driver
