// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/programs/analyses.h"

#include "driver/run/check.h"
#include "driver/run/coverage.h"
#include "driver/run/memory.h"
#include "driver/run/mutation.h"
#include "driver/run/schedules.h"

#include <algorithm>
#include <array>

namespace gputest::driver {
namespace {

constexpr std::array kCommands{
    AnalysisCommand{"coverage", check_coverage_run, run_coverage},
    AnalysisCommand{"mutation", check_mutation_run, run_mutation},
    AnalysisCommand{"schedules", check_schedules_run, run_schedules},
    AnalysisCommand{"check", nullptr, run_check},
    AnalysisCommand{"memory", nullptr, run_memory},
};

} // namespace

const AnalysisCommand& command_of(const model::Analysis& analysis) {
  const auto found = std::ranges::find(kCommands, analysis.name, &AnalysisCommand::name);
  static constexpr AnalysisCommand kNone;
  return found == kCommands.end() ? kNone : *found;
}

} // namespace gputest::driver
