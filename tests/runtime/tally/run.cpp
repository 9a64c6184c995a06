#include "tests/runtime/tally/run.h"

#include "model/files.h"

#include <fmt/format.h>

namespace gputest::tests {
namespace {

int run(const runtime::Plan& plan, const runtime::KernelDescription& /*description*/) {
  model::write_atomically(plan.result, fmt::format("{}\n", plan.cases.size()));
  fmt::print("{} of {} cases\n", plan.cases.size(), plan.analysis.whole("at-most"));
  return plan.cases.size() > plan.analysis.whole("at-most") ? 1 : 0;
}

} // namespace

runtime::AnalysisRun tally_analysis() {
  return {.name = "tally", .run = run};
}

} // namespace gputest::tests
