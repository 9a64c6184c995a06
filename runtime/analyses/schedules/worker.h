// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker of --schedules. It runs each case under orders of its work-groups and work-items.
#pragma once

#include "runtime/plan/plan.h"
#include "runtime/process/worker.h"

#include <cstddef>

namespace gputest::runtime {

// Sends the device, and then for each case from `first` on what the search found:
// model::ScheduledCase, and the schedules of its findings. Throws as a worker may.
void try_schedules(const Plan& plan, const WorkerChannel& channel, std::size_t first);

} // namespace gputest::runtime
