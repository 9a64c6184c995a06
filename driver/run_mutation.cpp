#include "driver/run_mutation.h"

#include "driver/command_error.h"
#include "driver/repeated_runs.h"
#include "driver/report_mutation.h"
#include "driver/run_coverage.h"
#include "model/files.h"
#include "model/mutation_progress.h"
#include "model/operators.h"
#include "program/mutant_run.h"
#include "program/program_mutation.h"
#include "store/store.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kListed = 100;
constexpr std::array kOptions{"operators", "mutant", "sample", "store", "fresh"};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<std::string> operators_of(const cxxopts::ParseResult& arguments) {
  try {
    return model::select_operators(arguments.count("operators") > 0
                                       ? split(arguments["operators"].as<std::string>())
                                       : std::vector<std::string>());
  } catch (const std::invalid_argument& error) {
    throw CommandError(fmt::format("error: --operators: {}", error.what()));
  }
}

// What --threshold says is the report's to check; it is written down, too.
std::optional<double> threshold_of(const cxxopts::ParseResult& arguments) {
  if (arguments.count("threshold") == 0)
    return std::nullopt;
  return mutation_threshold(arguments);
}

program::MutationSettings settings_of(const ProgramRun& prepared,
                                      const cxxopts::ParseResult& arguments) {
  program::MutationSettings settings;
  settle(settings, prepared, repeated_runs(arguments));
  settings.output = prepared.output;
  settings.operators = operators_of(arguments);
  if (arguments.count("mutant") > 0)
    settings.mutants = arguments["mutant"].as<std::vector<std::string>>();
  if (arguments.count("sample") > 0)
    settings.sample = arguments["sample"].as<unsigned>();
  settings.threshold = threshold_of(arguments);
  settings.fresh = arguments.count("fresh") > 0;
  settings.store = arguments.count("store") > 0 ? fs::absolute(arguments["store"].as<std::string>())
                                                : prepared.output / "results.db";
  return settings;
}

void print_weak(const program::ProgramMutation& result) {
  if (result.weak.empty())
    return;
  std::cout << "\nWeak oracle: the program reads back other results and does not notice:\n";
  for (std::size_t i = 0; i < std::min(result.weak.size(), kListed); ++i) {
    const model::Mutant& mutant = result.weak[i]->mutant;
    std::cout << fmt::format("{}:{}:{}: {} (mutant {})\n", mutant.file, mutant.line, mutant.column,
                             mutant.operators.empty() ? "" : mutant.operators.front(), mutant.id);
  }
  if (result.weak.size() > kListed)
    std::cout << fmt::format("and {} more, whose detail in mutation.json begins with '{}'\n",
                             result.weak.size() - kListed, program::kWeakOracle);
}

// How many mutants each oracle finds.
void print_oracles(const program::ProgramMutation& result) {
  std::uint64_t noticed = 0, stopped = 0;
  for (const model::Mutation& mutation : result.sources)
    for (const model::MutantResult& one : mutation.results) {
      const bool by_program = one.verdict == model::Verdict::Timeout ||
                              (one.reason && (*one.reason == model::KillReason::ProgramFailed ||
                                              *one.reason == model::KillReason::Crash));
      noticed += by_program ? 1 : 0;
      stopped += one.verdict == model::Verdict::Killed && !by_program ? 1 : 0;
    }
  std::cout << fmt::format("\nthe program noticed {}; {} more were stopped where they did harm; {} "
                           "changed what it reads back and were not noticed\n",
                           noticed, stopped, result.weak.size());
  print_varying(result.varying, result.reads);
}

// What the program's kernels do without any mutant.
void print_harm(const program::ProgramMutation& result) {
  for (const model::Mutation& mutation : result.sources)
    for (const model::NotInstrumented& entry : mutation.not_mutated)
      if (entry.construct == model::kHarmOfOriginal)
        std::cout << fmt::format("{}:{}:{}: warning: {}: {}\n", entry.file, entry.line,
                                 entry.column, entry.construct, entry.reason);
}

} // namespace

void add_mutation_run_options(cxxopts::Options& options) {
  using Text = std::string;
  options.add_options("Mutation")(
      "operators", "only mutants made by these; conventional, gpu and all are groups",
      cxxopts::value<Text>(), "NAME,…")("mutant", "only this mutant; may be repeated",
                                        cxxopts::value<std::vector<Text>>(), "ID")(
      "sample", "only so many of the mutants of each source", cxxopts::value<unsigned>(),
      "N")("store", "where verdicts are kept (default: results.db in --output)",
           cxxopts::value<Text>(), "FILE")("fresh", "run everything, whatever the store knows");
}

void check_mutation_run_options(const cxxopts::ParseResult& arguments) {
  operators_of(arguments);
  threshold_of(arguments);
  repeated_runs(arguments);
  if (arguments.count("sample") > 0 && arguments["sample"].as<unsigned>() == 0)
    throw CommandError("error: --sample: at least 1");
}

void refuse_mutation_run_options(const cxxopts::ParseResult& arguments) {
  for (const char* option : kOptions)
    if (arguments.count(option) > 0)
      throw CommandError(fmt::format("error: --{} is for --mutation", option));
}

int run_mutation(const ProgramRun& prepared, const cxxopts::ParseResult& arguments) {
  const program::MutationSettings settings = settings_of(prepared, arguments);
  const fs::path file = prepared.output / "mutation.json";
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
  } catch (const program::BaselineFailed& failure) {
    fmt::print(stderr, "error: {}: no mutant was run, because without one {}\n", prepared.name,
               failure.what());
    return Failed;
  } catch (const store::StoreError& error) {
    throw CommandError(error.what(), error.exit_code() == 2 ? WrongInput : Internal);
  }
  progress.reset();
  print_not_measured(result.not_measured);
  if (result.skipped)
    return skipped(prepared);
  model::write_atomically(file, model::text_of(result.sources));
  const ExitCode outcome = report_mutation(arguments, {file});
  if (arguments.count("no-terminal") == 0) {
    print_oracles(result);
    print_harm(result);
    print_weak(result);
    std::cout << std::flush;
  }
  return outcome;
}

} // namespace gputest::driver
