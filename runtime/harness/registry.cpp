#include "runtime/harness/registry.h"

#include "runtime/analyses/check/run.h"
#include "runtime/analyses/coverage/run.h"
#include "runtime/analyses/fuzz/run.h"
#include "runtime/analyses/memory/run.h"
#include "runtime/analyses/mutation/run.h"
#include "runtime/analyses/schedules/run.h"
#include "runtime/analyses/test/run.h"
#include "runtime/machine/cuda/machine.h"
#include "runtime/machine/opencl/machine.h"
#include "runtime/machine/simulator/machine.h"

#include <array>

namespace gputest::runtime {
namespace {

constexpr std::array kRuns{
    AnalysisRun{.name = "test", .run = run_plan},
    AnalysisRun{.name = "coverage",
                .prepare = prepare_coverage,
                .run = run_plan,
                .variant = coverage_variant,
                .comparison = "comparison.json"},
    AnalysisRun{.name = "mutation",
                .prepare = prepare_mutation,
                .run = run_mutation,
                .variant = mutants_variant,
                .comparison = "comparison-mutants.json"},
    AnalysisRun{.name = "schedules",
                .prepare = prepare_schedules,
                .run = run_schedules,
                .variant = schedule_variant,
                .comparison = "comparison-schedules.json"},
    AnalysisRun{.name = "check", .prepare = prepare_checks, .run = run_checks},
    AnalysisRun{.name = "fuzz", .prepare = prepare_shard, .run = run_fuzz, .makes_inputs = true},
    AnalysisRun{.name = "memory", .prepare = prepare_shard, .run = run_memory},
};

} // namespace

Registry registry() {
  static const std::array kinds{opencl_kind(), simulator_kind(), cuda_kind()};
  return {kinds, model::analyses(), kRuns};
}

} // namespace gputest::runtime
