// --schedules and --schedule: the cases under orders of groups and work-items.
#pragma once

#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Runs every case of the plan in a worker, prints what it finds, writes schedules.json, and
// for each finding a schedule beside it, in schedules/. Returns 1 when any case depends on an
// order, is invalid, crashes or times out, or the kernel's ids could not be remapped; else 0.
// Throws what run_isolated throws.
int run_schedules(const Plan& plan, const KernelDescription& description);

// With --schedule, the case and the machine are those of the file.
void prepare_schedules(Plan& plan, const Options& options);

// schedule.cl, as launched.
Subject schedule_variant(const Plan& plan, Machine& machine);

} // namespace gputest::runtime
