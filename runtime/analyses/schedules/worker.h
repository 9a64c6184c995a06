// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker of --schedules. It runs each case under orders of its work-groups and work-items.
#pragma once

#include "runtime/analyses/schedules/search.h"
#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"
#include "runtime/process/worker.h"

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>

namespace gputest::runtime {

// What the worker sends about itself.
struct ScheduleInfo {
  std::string device{};
  std::optional<std::string> folder{}; // of schedule.cl, if that is what runs
};
constexpr auto fields_of(const ScheduleInfo*) {
  return std::tuple{model::field("device", &ScheduleInfo::device),
                    model::field("folder", &ScheduleInfo::folder)};
}

// Sends a ScheduleInfo, and then a ScheduleSearch::Result for each case from `first` on. A property
// of `description` says which outputs are right, unless a reference or the case does. Throws as a
// worker may.
void try_schedules(const Plan& plan, const KernelDescription& description,
                   const WorkerChannel& channel, std::size_t first);

} // namespace gputest::runtime
