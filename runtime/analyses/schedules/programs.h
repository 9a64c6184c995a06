// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts that run schedules, for this device.
#pragma once

#include "model/schedules/sites.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

#include <filesystem>

namespace gputest::runtime {

// Reads schedule-sites.json of `folder`. Throws UsageError where there is none.
model::ScheduleSites read_sites(const std::filesystem::path& folder);

// As read_sites(), for the kernel's folder. A build without SCHEDULES writes no such file: then the
// result has nothing but the source.
model::ScheduleSites known_sites(const Plan& plan);

// Returns the folder with schedule.cl, guarded.cl and schedule-sites.json for this device. That is
// the one that the build made, or a new one if the device's macros differ from those of `built`.
// Call it in a worker.
std::filesystem::path schedule_folder(const Plan& plan, const model::ScheduleSites& built,
                                      Machine& machine);

// Returns the text `file` of the folder as a subject.
Subject schedule_subject(const Plan& plan, const std::filesystem::path& folder,
                         const std::string& file);

} // namespace gputest::runtime
