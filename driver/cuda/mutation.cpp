// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --mutation for CUDA programs.
#include "program/cuda/mutation.h"
#include "driver/command_error.h"
#include "driver/cuda/run.h"
#include "driver/report/mutation.h"
#include "driver/run/mutation.h"
#include "driver/run/repeated_runs.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using program::PlainRunFailed;

constexpr std::size_t kJobsOfGpu = 8; // processes that share one GPU; more are no faster

std::size_t jobs_of(const program::CudaRun& run, const model::Settings& settings) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return settings.given_whole("jobs").value_or(
      static_cast<unsigned>(run.device == "gpu" ? std::min(cores, kJobsOfGpu) : cores));
}

} // namespace

void check_cuda_mutation(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  wanted_mutants(settings);
  mutation_threshold(arguments, settings);
  check_repeated_runs(settings);
}

int run_cuda_mutation(const program::CudaRun& run, const model::Settings& settings,
                      const cxxopts::ParseResult& arguments) {
  const program::CudaMutationSettings how{
      .wanted = wanted_mutants(settings),
      .root = arguments.count("source-root") > 0
                  ? fs::path(arguments["source-root"].as<std::string>())
                  : fs::current_path(),
      .threshold = mutation_threshold(arguments, settings),
      .timeout_factor = settings.real("timeout-factor"),
      .baseline =
          settings.given("baseline") ? static_cast<unsigned>(settings.whole("baseline")) : 2,
      .jobs = jobs_of(run, settings),
      .checks_races = !settings.given("no-simulator")};
  const auto mutants = program::cuda_mutants(run, how);
  const program::EngineSettings engine{.name = run.name,
                                       .oracle = run.oracle,
                                       .folder = program::records_of(run),
                                       .store = store_of(run.output, settings),
                                       .jobs = how.jobs,
                                       .fresh = settings.given("fresh"),
                                       .whole_runs = settings.given("whole-runs")};
  try {
    return run_mutants_of(*mutants, engine, {.output = run.output}, settings, arguments);
  } catch (const PlainRunFailed& failure) {
    fmt::print(stderr, "error: {}\n", failure.what());
    return Failed;
  }
}

} // namespace gputest::driver
