// What --schedules is to do.
#pragma once

#include "model/schedules/schedule.h"
#include "model/settings.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/shards.h"

#include <any>
#include <optional>
#include <string>

namespace gputest::runtime {

struct SchedulePlan {
  std::string strategy;
  unsigned count = 1, repeat = 1, seed = 1;
  std::optional<model::Schedule> replay; // only this one
  Shard shard;                           // of the orders
  unsigned shards = 1;                   // so many there are to be, says SHARDS
};

// Throws UsageError, FormatError for a file that is no schedule.
SchedulePlan make_schedule_plan(const model::Settings& settings);

// What the analysis of `plan` is to do.
inline const SchedulePlan& schedule_plan(const Plan& plan) {
  return *std::any_cast<SchedulePlan>(&plan.own);
}

} // namespace gputest::runtime
