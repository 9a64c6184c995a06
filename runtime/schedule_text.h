// What --schedules says on the terminal.
#pragma once

#include "model/schedules.h"

#include <filesystem>
#include <string>

namespace gputest::runtime {

// "held: small (10 schedules, 35 runs, 0.01 s)", with its findings.
std::string case_text(const model::ScheduledCase& scheduled, const std::filesystem::path& folder);

// What could not be remapped, notes, and how many cases held.
std::string schedules_text(const model::Schedules& schedules);

} // namespace gputest::runtime
