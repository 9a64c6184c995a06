#include "runtime/schedule_plan.h"

#include "gputest/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::runtime {

SchedulePlan make_schedule_plan(const Schedules& described, const ScheduleOptions& options) {
  constexpr std::array kStrategies{"permute", "first", "serial", "reverse", "all"};
  SchedulePlan plan;
  plan.strategy = options.strategy.value_or(described.strategy);
  plan.count = options.count.value_or(described.count);
  plan.repeat = options.repeat.value_or(described.repeat);
  plan.seed = options.seed.value_or(described.seed);
  if (std::ranges::find(kStrategies, plan.strategy) == kStrategies.end())
    throw UsageError(fmt::format("STRATEGY (--strategy) '{}' is none of: {}", plan.strategy,
                                 fmt::join(kStrategies, ", ")));
  if (plan.count == 0)
    throw UsageError("SCHEDULES (--schedules) must be at least 1");
  if (plan.repeat == 0)
    throw UsageError("REPEAT (--repeat) must be at least 1");
  if (!options.replay.empty())
    plan.replay = model::read_schedule(options.replay);
  return plan;
}

} // namespace gputest::runtime
