// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/mutation.h"

#include "driver/command_error.h"
#include "driver/oracle_arguments.h"
#include "driver/report/mutation.h"
#include "driver/run/coverage.h"
#include "driver/run/layer_file.h"
#include "driver/run/no_device.h"
#include "driver/run/repeated_runs.h"
#include "driver/weak_oracle.h"
#include "model/analyses.h"
#include "model/files.h"
#include "model/mutation/operators.h"
#include "model/mutation/progress.h"
#include "program/program_mutation.h"
#include "store/store.h"

#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> operators_of(const model::Settings& settings) {
  try {
    return model::select_operators(settings.names("operators"));
  } catch (const std::invalid_argument& error) {
    throw CommandError(fmt::format("error: --operators: {}", error.what()));
  }
}

program::MutationSettings settings_of(const ProgramRun& prepared, const model::Settings& given,
                                      const cxxopts::ParseResult& arguments) {
  program::MutationSettings settings;
  settle(settings, prepared, given);
  settings.output = prepared.output;
  settings.operators = operators_of(given);
  settings.mutants = given.names("mutant");
  settings.sample = given.given_whole("sample");
  settings.threshold = mutation_threshold(arguments, given);
  settings.fresh = given.given("fresh");
  settings.whole_runs = given.given("whole-runs");
  if (const fs::path judge = place_of_simulator(); fs::is_regular_file(judge))
    settings.judge = judge;
  settings.store =
      given.given("store") ? fs::path(given.text("store")) : prepared.output / "results.db";
  return settings;
}

// Prints how many mutants each oracle finds.
void print_oracles(const program::ProgramMutation& result) {
  std::uint64_t noticed = 0, stopped = 0, reads = 0;
  for (const model::Mutation& mutation : result.sources)
    for (const model::MutantResult& one : mutation.results) {
      const bool by_program = one.verdict == model::Verdict::Timeout ||
                              (one.reason && (*one.reason == model::KillReason::ProgramFailed ||
                                              *one.reason == model::KillReason::Crash));
      const bool by_reads = one.reason == model::KillReason::WrongOutput;
      noticed += by_program ? 1 : 0;
      reads += by_reads ? 1 : 0;
      stopped += one.verdict == model::Verdict::Killed && !by_program && !by_reads ? 1 : 0;
    }
  std::cout << fmt::format("\nthe program noticed {}; {} more were stopped where they did harm; {} "
                           "changed what it reads back and were not noticed\n",
                           noticed, stopped, result.weak.size());
  if (reads > 0)
    std::cout << fmt::format("{} changed what it reads back, which the oracle compares\n", reads);
  if (result.tried > 0)
    std::cout << fmt::format("for {} no run of the program was needed: its launches told\n",
                             result.tried);
  for (const std::string& reason : result.untried)
    std::cout << fmt::format("mutants not tried on launches: {}\n", reason);
  print_varying(result.varying, result.reads);
}

// Prints the harm that the program's kernels do without any mutant.
void print_harm(const program::ProgramMutation& result) {
  for (const model::Mutation& mutation : result.sources)
    for (const model::NotInstrumented& entry : mutation.not_mutated)
      if (entry.construct == model::kHarmOfOriginal)
        std::cout << fmt::format("{}:{}:{}: warning: {}: {}\n", entry.file, entry.line,
                                 entry.column, entry.construct, entry.reason);
}

} // namespace

void check_mutation_run(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  operators_of(settings);
  mutation_threshold(arguments, settings);
  check_repeated_runs(settings);
}

int run_mutation(const ProgramRun& prepared, const model::Settings& given,
                 const cxxopts::ParseResult& arguments) {
  const program::MutationSettings settings = settings_of(prepared, given, arguments);
  const fs::path file = prepared.output / model::result_file_of("mutation");
  fs::remove(file);
  std::optional<model::MutationProgress> progress;
  program::ProgramMutation result;
  try {
    result =
        program::run_mutants(settings, [&](std::size_t total, const model::MutantResult& found) {
          if (!progress)
            progress.emplace(prepared.name, total);
          progress->add(found.verdict, true);
        });
  } catch (const program::PlainRunFailed& failure) {
    fmt::print(stderr, "error: {}: no mutant was run, because without one {}{}\n", prepared.name,
               failure.what(), no_device_hint());
    return Failed;
  } catch (const program::MutantsDiffer& difference) {
    if (difference.guilty() != model::Guilty::Unknown)
      throw CommandError(fmt::format("error: {}: {}", prepared.name,
                                     model::blame_text(difference.guilty(), difference.what(),
                                                       "the text with all mutants of its kernels")),
                         difference.guilty() == model::Guilty::Original ? Failed : Internal);
    throw CommandError(
        fmt::format("error: {}: its kernels with all mutants, none of them active, compute "
                    "something else than its own, so that no mutant was run: {}\nEither the "
                    "device's compiler translates one of them wrongly, or this is an error of "
                    "gputest, unless work-items race for that memory (gputest run --check tells). "
                    "Please report it, with the kernels",
                    prepared.name, difference.what()),
        Internal);
  } catch (const store::StoreError& error) {
    throw CommandError(error.what(), error.exit_code() == 2 ? WrongInput : Internal);
  }
  progress.reset();
  print_not_measured(result.not_measured);
  print_oracle_note(prepared.name, result.note);
  if (result.skipped)
    return skipped(prepared);
  model::write_atomically(file, model::text_of(result.sources));
  Outputs outputs(arguments);
  const ExitCode outcome = report_mutation(arguments, given, {file}, outputs);
  if (arguments.count("no-terminal") == 0) {
    print_oracles(result);
    print_harm(result);
    print_weak(result.sources);
    std::cout << std::flush;
  }
  return outcome;
}

} // namespace gputest::driver
