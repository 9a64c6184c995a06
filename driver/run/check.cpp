// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/check.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/report/check.h"
#include "driver/run/check_replay.h"
#include "driver/run/coverage.h"
#include "model/analyses.h"
#include "model/checks/results.h"
#include "model/shell.h"
#include "model/suppressions/suppressions.h"
#include "program/opencl/check.h"
#include "program/oracle.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSimulatorOptions{"groups", "items", "order-seed", "launch-timeout"};

std::string replay_file(std::size_t index) {
  return fmt::format("check/{}.json", index + 1);
}

// Removes old files, which must not pass for results of this run.
void remove_old_checks(const fs::path& output) {
  for (const auto& entry : fs::directory_iterator(output))
    if (entry.is_directory()) {
      fs::remove(entry.path() / model::result_file_of("check"));
      fs::remove_all(entry.path() / "check");
    }
}

model::CheckResults results_of(const ProgramRun& run, const std::vector<std::string>& checks,
                               const program::KernelChecks& kernel,
                               const model::Suppressions& suppressions,
                               const program::JudgedRun& run_of_program) {
  model::CheckResults results{.name = run.name,
                              .kernel = kernel.kernel,
                              .source = kernel.source,
                              .checks = checks,
                              .cases = {{.name = run.name,
                                         .verdict = run_of_program.passes() ? "passed" : "failed",
                                         .message = run_of_program.problem,
                                         .seconds = kernel.seconds,
                                         .launches = kernel.launches,
                                         .findings = kernel.findings.size()}},
                              .findings = {},
                              .suppressions = suppressions.file()};
  for (std::size_t i = 0; i < kernel.findings.size(); ++i)
    results.findings.push_back({.finding = kernel.findings[i].finding,
                                .cases = {run.name},
                                .launch = kernel.findings[i].launch,
                                .replay = kernel.of_host ? "" : replay_file(i)});
  for (const auto& [found, by] : kernel.suppressed)
    results.suppressed.push_back(
        {{.finding = found.finding, .cases = {run.name}, .launch = found.launch}, by});
  return results;
}

// Prints the findings and returns their number. `folder`: that of the results, with a file beside
// each finding; empty: there is none.
std::size_t print(const std::vector<program::KernelChecks>& kernels, const fs::path& folder) {
  std::size_t count = 0;
  for (const program::KernelChecks& kernel : kernels) {
    for (std::size_t i = 0; i < kernel.findings.size(); ++i, ++count) {
      const program::LaunchFinding& found = kernel.findings[i];
      if (!found.leads)
        continue;
      std::cout << text_of(found.finding) << "\n";
      if (kernel.of_host)
        continue;
      std::cout << fmt::format("  in launch {} of {} ({})\n", found.launch, kernel.folder,
                               model::text_of(found.sizes));
      if (!folder.empty())
        std::cout << fmt::format("  replay: {}\n",
                                 model::replay_command(folder / kernel.folder / replay_file(i)));
    }
    for (const std::string& note : kernel.notes)
      std::cout << note << "\n";
  }
  return count;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

} // namespace

void add_simulator_run_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options("Simulator")(
      "device",
      "simulator: run launches there, and not on the program's devices; for CUDA programs also gpu",
      text(),
      "NAME")("groups", "order of work-groups in the simulator: ascending, descending, random",
              text()->default_value("ascending"), "ORDER")(
      "items", "order of the work-items of a group", text()->default_value("ascending"), "ORDER")(
      "order-seed", "seed of random orders", cxxopts::value<std::string>()->default_value("1"),
      "N")("launch-timeout", "seconds after which a launch in the simulator is ended as endless",
           cxxopts::value<std::string>()->default_value("60"), "S");
}

std::optional<runtime::SimulatedProgram> simulator_settings(const cxxopts::ParseResult& arguments,
                                                            const model::Settings* checks) {
  if (arguments.count("device") > 0 && arguments["device"].as<std::string>() != "simulator")
    throw CommandError("error: --device: the program chooses its devices by itself; what it can be "
                       "made to run on is 'simulator'");
  if (arguments.count("device") == 0 && !checks) {
    for (const char* option : kSimulatorOptions)
      if (arguments.count(option) > 0)
        throw CommandError(
            fmt::format("error: --{} is for --check and --device simulator", option));
    return std::nullopt;
  }
  runtime::SimulatedProgram settings{simulator_file(), {}};
  runtime::Simulation& simulation = settings.simulation;
  const auto seed = whole_option(arguments, "order-seed");
  if (checks)
    simulation.checks = checks->flags();
  try {
    simulation.groups = runtime::order_named(arguments["groups"].as<std::string>(), seed, "groups");
    simulation.items = runtime::order_named(arguments["items"].as<std::string>(), seed, "items");
  } catch (const std::exception& error) {
    throw CommandError(fmt::format("error: {}", error.what()));
  }
  if (std::ranges::count(simulation.checks, runtime::kInterleavings) > 0)
    throw CommandError(
        "error: --check interleavings is for small test cases: gputest capture makes "
        "them of launches");
  simulation.limit = seconds_option(arguments, "launch-timeout");
  return settings;
}

bool print_findings(const program::RunRecords& records) {
  return print(program::program_checks(records), {}) == 0;
}

int run_check(const ProgramRun& prepared, const model::Settings& given,
              const cxxopts::ParseResult& arguments) {
  model::Suppressions suppressions =
      program_suppressions(prepared.settings.source_root, given, {prepared.run_folder / "sources"});
  remove_old_checks(prepared.output);
  program::RunSettings settings = prepared.settings;
  settings.measure = "check";
  const std::vector<std::string> checks =
      settings.simulator ? settings.simulator->simulation.checks : std::vector<std::string>();
  const program::JudgedRun judged =
      program::run_judged(prepared.child, prepared.oracle, prepared.run_folder / "output.txt",
                          [&](const program::ChildSettings& child) {
                            return program::run_recorded(child, prepared.run_folder, settings);
                          });
  const program::RunRecords records = program::read_run_folder(prepared.run_folder);
  const std::vector<program::KernelChecks> kernels = program::program_checks(
      records, [&](const model::Finding& finding, const std::string& kernel) {
        return suppressions.of(finding, prepared.name, kernel);
      });
  std::uint64_t launches = 0, suppressed = 0;
  std::vector<fs::path> files;
  for (const program::KernelChecks& kernel : kernels) {
    launches += kernel.launches;
    suppressed += kernel.suppressed.size();
    fs::create_directories(prepared.output / kernel.folder);
    files.push_back(prepared.output / kernel.folder / model::result_file_of("check"));
    write_check_results(results_of(prepared, checks, kernel, suppressions, judged), files.back());
    for (std::size_t i = 0; i < kernel.findings.size() && !kernel.of_host; ++i)
      write_check_replay(prepared, kernel, kernel.findings[i],
                         prepared.output / kernel.folder / replay_file(i));
  }
  std::cout << std::flush;
  print_not_measured(records.not_measured);
  if (kernels.empty()) {
    fmt::print(stderr, "error: nothing of {} ran in the simulator: {}\n", prepared.name,
               why_nothing(records));
    return program::is_skipped(judged.result, records) ? program::kSkipped : int{Failed};
  }
  Outputs outputs(arguments, Outputs::Silent);
  report_check(arguments, given, files, outputs);
  const std::size_t findings = print(kernels, prepared.output);
  const auto hosts =
      static_cast<std::size_t>(std::ranges::count(kernels, true, &program::KernelChecks::of_host));
  std::cout << fmt::format("{}: {}{} in {} of {}; {}\n", prepared.name,
                           counted(findings, "finding", "findings"),
                           model::suppressed_text(suppressed),
                           counted(launches, "launch", "launches"),
                           counted(kernels.size() - hosts, "kernel", "kernels"),
                           checks.empty() ? "not checked, only run"
                                          : fmt::format("checked: {}", fmt::join(checks, ", ")))
            << std::flush;
  if (!judged.passes())
    fmt::print(stderr, "error: {} failed: {}\n", prepared.name, judged.problem);
  return findings > 0 || !judged.passes() ? Failed : Held;
}

} // namespace gputest::driver
