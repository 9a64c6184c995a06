// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run-cuda --check: runs the program with the simulator's checks, and writes their findings
// to check.json (docs/reference/formats.md).
#include "driver/report/check.h"
#include "driver/command_error.h"
#include "driver/cuda/run.h"
#include "model/analyses.h"
#include "model/checks/results.h"
#include "model/suppressions/suppressions.h"
#include "program/cuda/findings.h"
#include "program/cuda/judged_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <map>
#include <tuple>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// Merges findings of one kind at one place, or pair of places, also of several launches.
std::vector<model::CheckedFinding> merged(std::vector<model::Finding> findings,
                                          const std::string& name) {
  std::vector<model::CheckedFinding> all;
  std::map<std::tuple<std::string, std::string, unsigned, unsigned, std::string, unsigned>,
           std::size_t>
      known;
  for (model::Finding& one : findings) {
    const auto [at, is_new] = known.try_emplace(
        {one.kind, one.site.file, one.site.line, one.site.column, one.other.file, one.other.line},
        all.size());
    if (is_new)
      all.push_back({.finding = std::move(one), .cases = {name}});
    else
      all[at->second].finding.count += one.count;
  }
  return all;
}

} // namespace

int run_cuda_check(const program::CudaRun& run, const model::Settings& settings,
                   const cxxopts::ParseResult& arguments) {
  if (run.device != "simulator")
    throw CommandError("error: --check needs --device simulator: a GPU checks nothing");
  const std::vector<std::string> checks = settings.flags();
  const fs::path file = run.output / model::result_file_of("check"),
                 lines = run.output / "findings.jsonl";
  model::Suppressions suppressions({arguments.count("source-root") > 0
                                        ? fs::path(arguments["source-root"].as<std::string>())
                                        : fs::current_path()},
                                   model::suppressions_file(settings));
  fs::remove(file);
  const program::JudgedRun judged = program::run_judged(run, [&] {
    fs::remove(lines);
    program::ChildSettings child = run.child;
    child.environment["GPUTEST_CUDA_CHECKS"] = fmt::format("{}", fmt::join(checks, " "));
    child.environment["GPUTEST_CUDA_FINDINGS"] = lines.string();
    return child;
  });
  program::CudaFindings read = program::read_cuda_findings(lines);
  fs::remove(lines);
  model::CheckResults results{.name = run.name,
                              .kernel = run.name,
                              .source = {},
                              .checks = checks,
                              .cases = {{.name = run.name,
                                         .verdict = judged.passes() ? "passed" : "failed",
                                         .message = judged.problem,
                                         .seconds = judged.result.seconds,
                                         .launches = read.launches,
                                         .findings = 0}},
                              .findings = merged(std::move(read.findings), run.name)};
  results.cases.front().findings = results.findings.size();
  suppressions.apply(results);
  const std::size_t found = results.findings.size();
  write_check_results(results, file);
  Outputs outputs(arguments, Outputs::Silent);
  report_check(arguments, settings, {file}, outputs);
  std::cout << fmt::format("{}: {} finding{}{} in {} launch{}; checked: {}\n", run.name, found,
                           found == 1 ? "" : "s", model::suppressed_text(results.suppressed.size()),
                           read.launches, read.launches == 1 ? "" : "es", fmt::join(checks, ", "))
            << std::flush;
  const std::string& program = run.child.command.front();
  if (!judged.passes())
    fmt::print(stderr, "error: {} failed: {}\n", program, judged.problem);
  else if (read.launches == 0)
    fmt::print(stderr,
               "error: {} launched no kernel in the simulator: is it built with gputest-cuda "
               "(cmake --toolchain gputest-cuda.cmake)?\n",
               program);
  return judged.passes() && read.launches > 0 && found == 0 ? Held : Failed;
}

} // namespace gputest::driver
