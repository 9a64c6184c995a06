// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/coverage.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/report/coverage.h"
#include "driver/run/check.h"
#include "driver/run/no_device.h"
#include "model/analyses.h"
#include "model/files.h"
#include "program/opencl/coverage.h"
#include "program/opencl/plain_comparison.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// Removes old files, which must not pass for results of this run. Files of schedules and checks are
// in the same folders, and stay.
void remove_old_results(const fs::path& output) {
  fs::remove(output / "run.json");
  for (const auto& entry : fs::directory_iterator(output))
    if (entry.is_directory() && fs::remove(entry.path() / model::result_file_of("coverage")) &&
        !fs::exists(entry.path() / model::result_file_of("schedules")) &&
        !fs::exists(entry.path() / model::result_file_of("check")))
      fs::remove_all(entry.path());
}

// Copies text that no file of the project holds beside the results that name it.
void copy_sources(const fs::path& run_folder, const model::Coverage& coverage, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(run_folder / "sources")) {
    const std::string name = entry.path().filename().string();
    const bool is_named =
        coverage.source == name || std::ranges::any_of(coverage.sites, [&](const auto& site) {
          return site.site.file == name;
        });
    if (is_named)
      fs::copy_file(entry.path(), to / name, fs::copy_options::overwrite_existing);
  }
}

std::vector<std::uint64_t> sizes_of(const std::array<std::uint64_t, 3>& sizes,
                                    unsigned dimensions) {
  return {sizes.begin(), sizes.begin() + dimensions};
}

nlohmann::ordered_json share_json(const program::LaunchShare& share) {
  nlohmann::ordered_json json{
      {"process", share.process},
      {"launch", share.launch},
      {"launches", share.launches},
      {"global_size", sizes_of(share.sizes.global, share.sizes.dimensions)}};
  if (share.sizes.local[0] != 0)
    json["local_size"] = sizes_of(share.sizes.local, share.sizes.dimensions);
  for (const model::Criterion criterion : model::kCriteria) {
    const model::Tally& tally = share.criteria.of(criterion);
    json[std::string(model::name_of(criterion))] = {{"covered", tally.covered},
                                                    {"total", tally.total}};
  }
  json["added"] = share.added;
  return json;
}

// Prints the launches that add something, and how many do not.
void print_shares(const program::ProgramCoverage& coverage) {
  for (const program::KernelCoverage& kernel : coverage.kernels) {
    std::uint64_t nothing = 0;
    if (!kernel.shares.empty())
      std::cout << fmt::format("\n{}: what launches cover by themselves\n", kernel.folder);
    for (const program::LaunchShare& share : kernel.shares) {
      if (share.added == 0) {
        nothing += share.launches;
        continue;
      }
      const unsigned dimensions = share.sizes.dimensions;
      std::string text = fmt::format(
          "  {}launch {}{} ({}{}):",
          share.process > 1 ? fmt::format("process {}, ", share.process) : "", share.launch,
          share.launches > 1 ? fmt::format(" to {}", share.launch + share.launches - 1) : "",
          fmt::join(sizes_of(share.sizes.global, dimensions), " x "),
          share.sizes.local[0] == 0
              ? ""
              : fmt::format(" in groups of {}",
                            fmt::join(sizes_of(share.sizes.local, dimensions), " x ")));
      for (const model::Criterion criterion : model::kCriteria)
        if (const model::Tally& tally = share.criteria.of(criterion); tally.total > 0)
          text += fmt::format(" {} {}/{}", model::name_of(criterion), tally.covered, tally.total);
      std::cout << text << fmt::format("; {} not covered before\n", share.added);
    }
    if (nothing > 0)
      std::cout << fmt::format("  {} launch{} covered nothing that was not covered before\n",
                               nothing, nothing == 1 ? "" : "es");
  }
}

nlohmann::ordered_json comparison_json(const std::optional<program::Comparison>& comparison) {
  if (!comparison)
    return nullptr;
  return {{"difference", comparison->difference},
          {"kernels", comparison->kernels},
          {"pieces", comparison->pieces},
          {"varying", comparison->varying},
          {"runs", comparison->runs},
          {"known", comparison->is_known}};
}

void write_summary(const ProgramRun& run, const program::RunRecords& records,
                   const program::ProgramCoverage& coverage, const program::ChildResult& result,
                   const std::optional<program::Comparison>& comparison) {
  nlohmann::ordered_json json{{"format", "gputest-run-1"},
                              {"name", run.name},
                              {"command", run.child.command},
                              {"result", result.text()},
                              {"seconds", result.seconds},
                              {"processes", records.processes},
                              {"compared", comparison_json(comparison)},
                              {"kernels", nlohmann::ordered_json::array()},
                              {"not_measured", nlohmann::ordered_json::array()}};
  for (const program::KernelCoverage& kernel : coverage.kernels) {
    json["kernels"].push_back({{"kernel", kernel.coverage.kernel},
                               {"source", kernel.coverage.source},
                               {"launches", kernel.launches},
                               {"results", kernel.folder + "/coverage.json"}});
    for (const program::LaunchShare& share : kernel.shares)
      json["kernels"].back()["shares"].push_back(share_json(share));
  }
  for (const program::NotMeasured& entry : coverage.not_measured)
    json["not_measured"].push_back(
        {{"program", entry.program}, {"kernel", entry.kernel}, {"reason", entry.reason}});
  model::write_atomically(run.output / "run.json", model::pretty(json));
}

// Compares with runs without instrumentation; nullopt: not wanted, or there is nothing to compare.
std::optional<program::Comparison> compare(const program::MeasuredRun& measured,
                                           const program::RunRecords& records,
                                           const program::ProgramCoverage& coverage) {
  std::set<std::string> launched;
  for (const program::KernelCoverage& kernel : coverage.kernels)
    if (kernel.launches > 0)
      launched.insert(kernel.folder);
  if (!measured.run.reads || launched.empty() || measured.result.timed_out)
    return std::nullopt;
  return program::compare_with_plain(measured, records, launched);
}

// Returns whether the program does the same with its kernels instrumented.
bool print_comparison(const std::string& name,
                      const std::optional<program::Comparison>& comparison) {
  if (!comparison)
    return true;
  if (comparison->varying > 0)
    fmt::print(stderr,
               "note: {} of {} pieces that {} reads back vary by themselves and were not compared "
               "with a run without instrumentation\n",
               comparison->varying, comparison->pieces, name);
  else if (comparison->pieces == 0)
    fmt::print(stderr,
               "note: {} reads nothing back through OpenCL: of a run without instrumentation only "
               "the exit code was compared\n",
               name);
  if (comparison->difference.empty())
    return true;
  fmt::print(stderr,
             "error: {} does something else with its kernels instrumented: {}{}; what is said to "
             "be covered cannot be trusted\n{}\n",
             name, comparison->difference,
             comparison->kernels.empty()
                 ? ""
                 : fmt::format(" (because of {})", fmt::join(comparison->kernels, ", ")),
             comparison->opinion.guilty == model::Guilty::Unknown
                 ? "The device's compiler may have translated the instrumented kernel wrongly, or "
                   "the kernel depends on timing: --check looks for data races, --schedules for "
                   "orders. Leave its file out with --exclude, or measure with --device simulator"
                 : model::blame_text(comparison->opinion, "see above",
                                     {.name = "the text of its kernels with coverage",
                                      .inactive = "",
                                      .lost = "what it covers is not known"}));
  return false;
}

// Returns the first error of a compiler's long output. run.json has all of it.
std::string first_error(const std::string& reason) {
  const std::size_t error = reason.find("error: ");
  const std::size_t begin = error == std::string::npos ? 0 : reason.rfind('\n', error) + 1;
  return reason.substr(begin, reason.find('\n', begin) - begin);
}

} // namespace

std::string why_nothing(const program::RunRecords& records) {
  if (records.no_device || (records.processes == 0 && lacks_opencl()))
    return "there is no OpenCL device: `gputest resources` lists those there are";
  if (records.processes == 0)
    return "it made no OpenCL call, or its ICD loader knows no layers (ocl-icd 2.3 and the Khronos "
           "loader do)";
  if (records.programs.empty())
    return "it built no OpenCL program";
  return "none of its OpenCL programs could be measured";
}

void print_not_measured(const std::vector<program::NotMeasured>& entries) {
  for (const program::NotMeasured& entry : entries)
    fmt::print(stderr, "warning: not measured: {}{}{}{}\n", entry.program,
               entry.program.empty() || entry.kernel.empty() ? "" : ", kernel ", entry.kernel,
               (entry.program.empty() && entry.kernel.empty() ? "" : ": ") +
                   first_error(entry.reason));
}

void check_coverage_run(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  coverage_thresholds(arguments, settings); // wrong thresholds are reported before anything runs
}

int run_coverage(const ProgramRun& prepared, const model::Settings& given,
                 const cxxopts::ParseResult& arguments) {
  remove_old_results(prepared.output);
  program::RunSettings settings = prepared.settings;
  settings.each_launch = given.given("launches");
  settings.reads = !given.given("no-compare");
  const auto input_from = program::repeatable_input();
  const program::JudgedRun judged =
      program::run_judged(prepared.child, prepared.oracle, prepared.run_folder / "output.txt",
                          [&](const program::ChildSettings& child) {
                            return program::run_recorded(child, prepared.run_folder, settings);
                          });
  const program::ChildResult& result = judged.result;
  const program::RunRecords records = program::read_run_folder(prepared.run_folder);
  const program::ProgramCoverage coverage =
      program::program_coverage(records, settings, prepared.name, judged);
  std::vector<fs::path> files;
  for (const program::KernelCoverage& kernel : coverage.kernels) {
    const fs::path folder = prepared.output / kernel.folder;
    fs::create_directories(folder);
    copy_sources(prepared.run_folder, kernel.coverage, folder);
    const fs::path file = folder / model::result_file_of("coverage");
    model::write_coverage(kernel.coverage, file);
    if (!kernel.coverage.sites.empty())
      files.push_back(file);
  }
  program::MeasuredRun measured{prepared.run_folder, settings, prepared.child, result, input_from};
  if (const fs::path judge = place_of_simulator(); fs::is_regular_file(judge))
    measured.judge = judge;
  const std::optional<program::Comparison> comparison = compare(measured, records, coverage);
  write_summary(prepared, records, coverage, result, comparison);

  std::cout << std::flush;
  print_not_measured(coverage.not_measured);
  ExitCode outcome = Held;
  if (files.empty() && !coverage.kernels.empty()) {
    fmt::print(stderr, "note: the kernels of {} have nothing to cover\n", prepared.name);
  } else if (files.empty()) {
    fmt::print(stderr, "error: no kernel of {} was measured: {}\n", prepared.name,
               why_nothing(records));
    if (program::is_skipped(result, records))
      return program::kSkipped;
    outcome = Failed;
  } else {
    Outputs outputs(arguments);
    outcome = report_coverage(arguments, given, files, outputs);
    if (!arguments["no-terminal"].as<bool>())
      print_shares(coverage);
  }
  if (!print_findings(records) || !print_comparison(prepared.name, comparison))
    outcome = Failed;
  if (!judged.passes()) {
    fmt::print(stderr, "error: {} failed: {}\n", prepared.name, judged.problem);
    return Failed;
  }
  return outcome;
}

} // namespace gputest::driver
