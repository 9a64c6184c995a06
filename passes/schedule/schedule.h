// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule pass takes the ids of work-items from the state buffer. So the host decides which
// group and which work-item is at which place of the device.
#pragma once

#include "frontend/parse.h"
#include "model/schedules/sites.h"

namespace gputest::passes {

struct ScheduleVariant {
  std::string text;    // schedule.cl; the state buffer is the last argument of every kernel
  std::string guarded; // guarded.cl: accesses are checked, ids are the device's own
  model::ScheduleSites sites;
};

ScheduleVariant schedule(const frontend::Tree& tree, const std::string& source_name);

} // namespace gputest::passes
