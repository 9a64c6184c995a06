#include "runtime/analyses/schedules/plan.h"

#include "gputest/error.h"
#include "model/schedules.h"

#include <fmt/format.h>
#include <stdexcept>

namespace gputest::runtime {

SchedulePlan make_schedule_plan(const Schedules& described, const ScheduleOptions& options) {
  SchedulePlan plan;
  plan.strategy = options.strategy.value_or(described.strategy);
  plan.count = options.count.value_or(described.count);
  plan.repeat = options.repeat.value_or(described.repeat);
  plan.seed = options.seed.value_or(described.seed);
  try {
    model::check_strategy(plan.strategy);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("STRATEGY (--strategy) {}", error.what()));
  }
  if (plan.count == 0)
    throw UsageError("SCHEDULES (--schedules) must be at least 1");
  if (plan.repeat == 0)
    throw UsageError("REPEAT (--repeat) must be at least 1");
  if (!options.replay.empty())
    plan.replay = model::read_schedule(options.replay);
  return plan;
}

} // namespace gputest::runtime
