// What --schedules is to do: the described settings with the options that override them.
#pragma once

#include "gputest/harness.h"
#include "model/schedule.h"
#include "runtime/analyses/schedules/options.h"

#include <optional>
#include <string>

namespace gputest::runtime {

struct SchedulePlan {
  std::string strategy = "all";
  unsigned count = 10, repeat = 3, seed = 1;
  std::optional<model::Schedule> replay; // only this one
};

// Throws UsageError, FormatError for a file that is no schedule.
SchedulePlan make_schedule_plan(const Schedules& described, const ScheduleOptions& options);

} // namespace gputest::runtime
