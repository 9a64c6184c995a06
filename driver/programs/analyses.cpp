// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/programs/analyses.h"

#include "driver/run/check.h"
#include "driver/run/coverage.h"
#include "driver/run/mutation.h"
#include "driver/run/schedules.h"

#include <algorithm>
#include <array>

namespace gputest::driver {
namespace {

constexpr std::array kCommands{
    AnalysisCommand{.name = "coverage",
                    .check = check_coverage_run,
                    .run = run_coverage,
                    .cuda = {check_coverage_run, run_cuda_coverage}},
    AnalysisCommand{.name = "mutation",
                    .check = check_mutation_run,
                    .run = run_mutation,
                    .cuda = {check_cuda_mutation, run_cuda_mutation}},
    AnalysisCommand{.name = "schedules",
                    .check = check_schedules_run,
                    .run = run_schedules,
                    .cuda = {check_cuda_schedules, run_cuda_schedules}},
    AnalysisCommand{
        .name = "check", .run = run_check, .is_simulated = true, .cuda = {nullptr, run_cuda_check}},
};

} // namespace

const AnalysisCommand& command_of(const model::Analysis& analysis) {
  const auto found = std::ranges::find(kCommands, analysis.name, &AnalysisCommand::name);
  static constexpr AnalysisCommand kNone;
  return found == kCommands.end() ? kNone : *found;
}

} // namespace gputest::driver
