// The texts that schedules are run with, for this device.
#pragma once

#include "model/schedules/sites.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

#include <filesystem>

namespace gputest::runtime {

// schedule-sites.json of `folder`. Throws UsageError where there is none.
model::ScheduleSites read_sites(const std::filesystem::path& folder);

// The same of the kernel; without SCHEDULES, whose build writes that, nothing but the source.
model::ScheduleSites known_sites(const Plan& plan);

// The folder with schedule.cl, guarded.cl and schedule-sites.json for this device: the one built,
// or another, made now, if the device's macros differ from those `built` was made for. In a worker.
std::filesystem::path schedule_folder(const Plan& plan, const model::ScheduleSites& built,
                                      Machine& machine);

// A text of the folder, to be built as it is.
Subject schedule_subject(const Plan& plan, const std::filesystem::path& folder,
                         const std::string& file);

} // namespace gputest::runtime
