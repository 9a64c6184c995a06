// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/mutation.h"

#include "driver/command_error.h"
#include "driver/oracle_arguments.h"
#include "driver/report/mutation.h"
#include "driver/run/messages.h"
#include "driver/run/repeated_runs.h"
#include "model/analyses.h"
#include "model/files.h"
#include "model/mutation/progress.h"
#include "model/mutation/worth.h"
#include "model/operators.h"
#include "program/oracle.h"
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// Returns the mutants that the settings ask for. Throws CommandError.
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

// Lists the mutants whose wrong results the program reads back and does not notice.
void print_weak(std::span<const model::Mutation> mutations) {
  constexpr std::size_t kListed = 100;
  std::vector<const model::Mutant*> weak;
  for (const model::Mutation& mutation : mutations)
    for (const model::MutantResult& result : mutation.results)
      if (program::is_weak(result))
        weak.push_back(&result.mutant);
  if (weak.empty())
    return;
  std::cout << "\nWeak oracle: the program reads back other results and does not notice:\n";
  for (std::size_t i = 0; i < std::min(weak.size(), kListed); ++i)
    std::cout << fmt::format(
        "{}:{}:{}: {} (mutant {})\n", weak[i]->file, weak[i]->line, weak[i]->column,
        weak[i]->operators.empty() ? "" : weak[i]->operators.front(), weak[i]->id);
  if (weak.size() > kListed)
    std::cout << fmt::format("and {} more, whose detail in mutation.json begins with '{}'\n",
                             weak.size() - kListed, program::kWeakOracle);
  std::cout << std::flush;
}

// Prints how many mutants each oracle finds.
void print_oracles(const program::MutatedProgram& mutants, const program::MutatedRuns& result) {
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
    std::cout << fmt::format("for {} no run of the program was needed: {}\n", result.tried,
                             mutants.faster_way());
  for (const std::string& note : result.notes)
    std::cout << note << "\n";
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

program::MutatedRuns run_engine(program::MutatedProgram& mutants,
                                const program::EngineSettings& engine) {
  std::optional<model::MutationProgress> progress;
  try {
    return program::run_mutants(
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
}

// What it means that the program's kernels with all mutants differ from its own.
[[noreturn]] void refuse_different(const std::string& name,
                                   const program::MutantsDiffer& difference) {
  const model::Opinion& opinion = difference.opinion();
  if (opinion.guilty != model::Guilty::Unknown)
    throw CommandError(
        fmt::format("error: {}: {}", name,
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
                  name, difference.what()),
      Internal);
}

} // namespace

void check_mutation_run(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  wanted_mutants(settings);
  mutation_threshold(arguments, settings);
  check_repeated_runs(settings);
}

int run_mutation(const ProgramRequest& request) {
  const model::Settings& given = request.settings;
  const program::ProgramTask& task = request.program.task();
  const fs::path file = task.output / model::result_file_of("mutation");
  program::MutationSettings settings;
  static_cast<program::RepeatedRuns&>(settings) = repeated_runs(request.program, given);
  settings.wanted = wanted_mutants(given);
  settings.threshold = mutation_threshold(request.arguments, given);
  settings.checks_races = !given.given("no-simulator");
  const program::EngineSettings engine{
      .name = task.name,
      .oracle = task.oracle,
      .folder = program::folder_of_mutants(task.output),
      .store = given.given("store") ? fs::path(given.text("store")) : task.output / "results.db",
      .jobs = settings.jobs,
      .fresh = given.given("fresh"),
      .whole_runs = given.given("whole-runs"),
      .results = task.output,
      .shards = given.given("shard") ? 1 : static_cast<unsigned>(given.whole("shards")),
      .time_limit = given.given_seconds("time-limit"),
      .root = task.source_root,
      .last = last_verdicts(file)};
  fs::remove(file);
  const auto mutants = request.program.mutants(settings);
  program::MutatedRuns runs;
  try {
    runs = run_engine(*mutants, engine);
  } catch (const program::RunRefused& refusal) {
    fmt::print(stderr, "error: {}\n", refusal.what());
    return Failed;
  } catch (const program::PlainRunFailed& failure) {
    fmt::print(stderr, "error: {}: no mutant was run, because without a mutant {}{}\n", task.name,
               failure.what(), request.program.hint());
    return Failed;
  } catch (const program::MutantsDiffer& difference) {
    refuse_different(task.name, difference);
  }
  print_not_measured(mutants->not_measured());
  print_oracle_note(task.name, runs.note);
  if (runs.skipped)
    return skipped(task.name);
  model::write_atomically(file, model::text_of(runs.sources));
  Outputs outputs(request.arguments);
  const ExitCode outcome = report_mutation(request.arguments, given, {file}, outputs);
  if (request.arguments.count("no-terminal") == 0) {
    print_oracles(*mutants, runs);
    print_harm(runs);
    print_weak(runs.sources);
    std::cout << std::flush;
  }
  return outcome;
}

} // namespace gputest::driver
