// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/plan.h"

#include "model/clock.h"

namespace gputest::runtime {

SchedulePlan make_schedule_plan(const model::Settings& settings) {
  const auto whole = [&](const char* name) { return static_cast<unsigned>(settings.whole(name)); };
  SchedulePlan plan{settings.text("strategy"),
                    whole("count"),
                    whole("repeat"),
                    whole("seed"),
                    {},
                    shard_of(settings),
                    whole("shards"),
                    {}};
  if (const auto limit = settings.given_seconds("time-limit"))
    plan.end = std::chrono::steady_clock::now() + model::clock_duration(*limit);
  if (settings.given("schedule"))
    plan.replay = model::read_schedule(settings.text("schedule"));
  return plan;
}

} // namespace gputest::runtime
