// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/coverage.h"

#include "driver/command_error.h"
#include "driver/report/coverage.h"
#include "driver/run/messages.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <optional>

namespace gputest::driver {
namespace {

std::vector<std::uint64_t> sizes_of(const std::array<std::uint64_t, 3>& sizes,
                                    unsigned dimensions) {
  return {sizes.begin(), sizes.begin() + dimensions};
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

} // namespace

void check_coverage_run(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  coverage_thresholds(arguments, settings); // wrong thresholds are reported before anything runs
}

int run_coverage(const ProgramRequest& request) {
  const model::Settings& settings = request.settings;
  const std::string& name = request.program.task().name;
  const program::CoverageRun run =
      program::run_coverage(request.program, {.each_launch = settings.given("launches"),
                                              .compares = !settings.given("no-compare"),
                                              .apart = settings.text("instantiations") == "apart"});
  const program::ProgramCoverage& coverage = run.coverage;
  std::cout << std::flush;
  print_not_measured(coverage.not_measured);
  ExitCode outcome = Held;
  if (coverage.kernels.empty()) {
    fmt::print(stderr, "error: no kernel of {} was measured: {}\n", name, coverage.nothing);
    if (coverage.skipped)
      return program::kSkipped;
    outcome = Failed;
  } else if (run.files.empty()) {
    fmt::print(stderr, "note: the kernels of {} have nothing to cover\n", name);
  } else {
    Outputs outputs(request.arguments);
    outcome = report_coverage(request.arguments, settings, run.files, outputs);
    if (!request.arguments["no-terminal"].as<bool>())
      print_shares(coverage);
  }
  for (const std::string& note : coverage.notes)
    fmt::print(stderr, "note: {}\n", note);
  if (!coverage.lost.empty())
    fmt::print(stderr, "error: what {} covers is not known: {}\n", name, coverage.lost);
  const bool has_findings = print_findings(program::sorted_by_kernel(coverage.checked), {}) > 0;
  const bool is_same = print_comparison(name, run.comparison);
  const bool passes = print_failure(name, run.judged);
  return has_findings || !is_same || !passes || !coverage.lost.empty() ? Failed : outcome;
}

} // namespace gputest::driver
