// What warps do when, in Chrome's trace format, which Perfetto shows.
#pragma once

#include "memory/analysis.h"

#include <nlohmann/json_fwd.hpp>

namespace gputest::memory {

// `count`: of a run with RunSettings::spans. Cores are processes, warps are threads, and a cycle is
// a microsecond.
nlohmann::ordered_json timeline_json(const RunCount& count, const CaseReport& report);

// The same in few bytes, for memory.json: what the first warps do most in each of equal steps.
nlohmann::ordered_json steps_json(const RunCount& count);

} // namespace gputest::memory
