// The schedule pass: whatever tells a work-item who it is comes from the state buffer, so that the
// host decides which group and which work-item stands at which place of the device.
#pragma once

#include "frontend/parse.h"
#include "model/schedule_sites.h"

namespace gputest::passes {

struct ScheduleVariant {
  std::string text;    // schedule.cl; every kernel takes the state buffer as last argument
  std::string guarded; // guarded.cl: accesses are checked, ids are the device's own
  model::ScheduleSites sites;
};

ScheduleVariant schedule(const Tree& tree, const std::string& source_name);

} // namespace gputest::passes
