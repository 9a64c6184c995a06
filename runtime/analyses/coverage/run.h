// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --coverage runs the cases as analyses/test does, with an instrumented kernel and thresholds.
#pragma once

#include "model/coverage.h"
#include "runtime/plan/plan.h"

#include <filesystem>

namespace gputest::runtime {

struct CoveragePlan {
  model::Thresholds thresholds;
};
// Returns nullptr where the plan is that of another analysis.
const CoveragePlan* coverage_plan(const Plan& plan);

// Returns the folder with the variant that is instrumented for this device. That is the one that
// the build made, or a new one if the device's macros differ. Call it in a worker.
std::filesystem::path variant_folder(const Plan& plan, Machine& machine);
Subject coverage_variant(const Plan& plan, Machine& machine);

} // namespace gputest::runtime
