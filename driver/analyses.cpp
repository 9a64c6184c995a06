#include "driver/analyses.h"

#include "driver/report/coverage.h"
#include "driver/report/memory.h"
#include "driver/report/mutation.h"
#include "driver/report/schedules.h"
#include "driver/run/check.h"
#include "driver/run/coverage.h"
#include "driver/run/mutation.h"
#include "driver/run/schedules.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace gputest::driver {
namespace {

constexpr std::array kCommands{
    AnalysisCommand{.name = "coverage",
                    .check = check_coverage_run,
                    .run = run_coverage,
                    .report = report_coverage},
    AnalysisCommand{.name = "mutation",
                    .check = check_mutation_run,
                    .run = run_mutation,
                    .report = report_mutation},
    AnalysisCommand{.name = "schedules",
                    .check = check_schedules_run,
                    .run = run_schedules,
                    .report = report_schedules},
    AnalysisCommand{.name = "check", .run = run_check, .is_simulated = true},
    AnalysisCommand{.name = "fuzz"},
    AnalysisCommand{.name = "memory", .report = report_memory},
};

} // namespace

const AnalysisCommand& command_of(const model::Analysis& analysis) {
  const auto found = std::ranges::find(kCommands, analysis.name, &AnalysisCommand::name);
  if (found == kCommands.end())
    throw std::logic_error("driver/analyses.cpp has no row for " + std::string(analysis.name));
  return *found;
}

} // namespace gputest::driver
