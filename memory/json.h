// What a case's report is in memory.json and in replays: docs/formats.md.
#pragma once

#include "memory/analysis.h"

#include <nlohmann/json_fwd.hpp>

namespace gputest::memory {

nlohmann::ordered_json case_json(const CaseReport& report);

// What a case has of them there.
nlohmann::ordered_json interferences_json(const CaseReport& report);

// Empty where a schedule is none of phases.
nlohmann::ordered_json phases_json(const WarpChoice& choice);

} // namespace gputest::memory
