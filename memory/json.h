// Converts a case's report to JSON for memory.json and replays (docs/formats.md).
#pragma once

#include "memory/analysis.h"

#include <nlohmann/json_fwd.hpp>

namespace gputest::memory {

nlohmann::ordered_json case_json(const CaseReport& report);

// Returns the report's interferences.
nlohmann::ordered_json interferences_json(const CaseReport& report);

// Returns an empty array unless the schedule has phases.
nlohmann::ordered_json phases_json(const WarpChoice& choice);

} // namespace gputest::memory
