// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/analyses.h"

#include "driver/report/check.h"
#include "driver/report/coverage.h"
#include "driver/report/memory.h"
#include "driver/report/mutation.h"
#include "driver/report/schedules.h"
#include "driver/run/check.h"
#include "driver/run/coverage.h"
#include "driver/run/mutation.h"
#include "driver/run/schedules.h"
#include "report/index/summaries.h"

#include <algorithm>
#include <array>

namespace gputest::driver {
namespace {

constexpr std::array kCommands{
    AnalysisCommand{.name = "test", .summarize = report::test_summary},
    AnalysisCommand{.name = "coverage",
                    .check = check_coverage_run,
                    .run = run_coverage,
                    .report = report_coverage,
                    .summarize = report::coverage_summary,
                    .check_cuda = check_coverage_run,
                    .run_cuda = run_cuda_coverage},
    AnalysisCommand{.name = "mutation",
                    .check = check_mutation_run,
                    .run = run_mutation,
                    .report = report_mutation,
                    .summarize = report::mutation_summary,
                    .check_cuda = check_cuda_mutation,
                    .run_cuda = run_cuda_mutation},
    AnalysisCommand{.name = "schedules",
                    .check = check_schedules_run,
                    .run = run_schedules,
                    .report = report_schedules,
                    .summarize = report::schedules_summary,
                    .check_cuda = check_cuda_schedules,
                    .run_cuda = run_cuda_schedules},
    AnalysisCommand{.name = "check",
                    .run = run_check,
                    .report = report_check,
                    .summarize = report::check_summary,
                    .is_simulated = true,
                    .run_cuda = run_cuda_check},
    AnalysisCommand{.name = "fuzz", .summarize = report::fuzz_summary},
    AnalysisCommand{.name = "memory", .report = report_memory, .summarize = report::memory_summary},
};

constexpr std::array kOthers{report::IndexKind{
    .name = "generation", .result = "generation.json", .read = report::generation_summary}};

} // namespace

const AnalysisCommand& command_of(const model::Analysis& analysis) {
  const auto found = std::ranges::find(kCommands, analysis.name, &AnalysisCommand::name);
  static constexpr AnalysisCommand kNone;
  return found == kCommands.end() ? kNone : *found;
}

std::vector<report::IndexKind> index_kinds() {
  std::vector<report::IndexKind> kinds;
  for (const model::Analysis& analysis : model::analyses())
    if (const auto summarize = command_of(analysis).summarize)
      kinds.push_back({analysis.name, analysis.result, summarize});
  kinds.insert(kinds.end(), kOthers.begin(), kOthers.end());
  return kinds;
}

} // namespace gputest::driver
