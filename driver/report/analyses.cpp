// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/analyses.h"

#include "driver/report/check.h"
#include "driver/report/coverage.h"
#include "driver/report/memory.h"
#include "driver/report/mutation.h"
#include "driver/report/schedules.h"
#include "report/index/summaries.h"

#include <algorithm>
#include <array>

namespace gputest::driver {
namespace {

constexpr std::array kReports{
    AnalysisReport{"test", nullptr, report::test_summary},
    AnalysisReport{"coverage", report_coverage, report::coverage_summary},
    AnalysisReport{"mutation", report_mutation, report::mutation_summary},
    AnalysisReport{"schedules", report_schedules, report::schedules_summary},
    AnalysisReport{"check", report_check, report::check_summary},
    AnalysisReport{"fuzz", nullptr, report::fuzz_summary},
    AnalysisReport{"memory", report_memory, report::memory_summary},
};

constexpr std::array kOthers{report::IndexKind{
    .name = "generation", .result = "generation.json", .read = report::generation_summary}};

} // namespace

const AnalysisReport& report_of(const model::Analysis& analysis) {
  const auto found = std::ranges::find(kReports, analysis.name, &AnalysisReport::name);
  static constexpr AnalysisReport kNone;
  return found == kReports.end() ? kNone : *found;
}

std::vector<report::IndexKind> index_kinds() {
  std::vector<report::IndexKind> kinds;
  for (const model::Analysis& analysis : model::analyses())
    if (const auto summarize = report_of(analysis).summarize)
      kinds.push_back({analysis.name, analysis.result, summarize});
  kinds.insert(kinds.end(), kOthers.begin(), kOthers.end());
  return kinds;
}

} // namespace gputest::driver
