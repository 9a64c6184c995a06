// --coverage: what the cases execute of the kernel. analyses/test runs them.
#pragma once

#include "model/coverage.h"
#include "runtime/plan/plan.h"

#include <filesystem>

namespace gputest::runtime {

struct CoveragePlan {
  model::Thresholds thresholds;
};
// nullptr: the plan is of another analysis.
const CoveragePlan* coverage_plan(const Plan& plan);

// The folder with the instrumented variant for this device: the one built, or another, made now, if
// the device's macros differ. In a worker.
std::filesystem::path variant_folder(const Plan& plan, Machine& machine);
Subject coverage_variant(const Plan& plan, Machine& machine);

} // namespace gputest::runtime
