// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of --schedules.
#pragma once

#include "model/schedules/schedule.h"
#include "model/settings.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/shards.h"

#include <any>
#include <chrono>
#include <optional>
#include <string>

namespace gputest::runtime {

struct SchedulePlan {
  std::string strategy;
  unsigned count = 1, repeat = 1, seed = 1;
  std::optional<model::Schedule> replay; // if given, only this one runs
  Shard shard;                           // the part of the orders that runs
  unsigned shards = 1;                   // how many shards there are, as SHARDS says
  // No order begins after this time; nullopt: there is no limit.
  std::optional<std::chrono::steady_clock::time_point> end{};
};

// Reads the settings. Throws UsageError, and FormatError for a file that is no schedule.
SchedulePlan make_schedule_plan(const model::Settings& settings);

// Returns the plan of --schedules. `plan` must be that of this analysis.
inline const SchedulePlan& schedule_plan(const Plan& plan) {
  return *std::any_cast<SchedulePlan>(&plan.own);
}

} // namespace gputest::runtime
