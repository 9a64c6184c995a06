// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of --schedules for the terminal.
#pragma once

#include "model/schedules/results.h"

#include <string>

namespace gputest::runtime {

// Returns what could not be remapped, notes, and how many cases held.
std::string schedules_text(const model::Schedules& schedules);

} // namespace gputest::runtime
