// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes files that replay a finding.
#pragma once

#include "model/schedules/schedule.h"

#include <filesystem>

namespace gputest::runtime {

// Writes `schedule`, as one that this host program replays. Throws std::runtime_error naming the
// file.
void keep_schedule(model::Schedule schedule, const std::filesystem::path& file);

} // namespace gputest::runtime
