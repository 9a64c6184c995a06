// What warps do when, in Chrome's trace format, which Perfetto shows.
#pragma once

#include "memory/analysis.h"

#include <nlohmann/json_fwd.hpp>

namespace gputest::memory {

// `count`: of a run with RunSettings::spans. Cores are processes, warps are threads, and a cycle is
// a microsecond.
nlohmann::ordered_json timeline_json(const RunCount& count, const CaseReport& report);

// So many equal steps of time are shown at most: how long each is.
Cycles step_of(Cycles cycles);

// The same in few bytes, for memory.json: what the first warps do most in each step.
nlohmann::ordered_json steps_json(const RunCount& count);

// What the sets of the nearest caches miss in each step, of a run with RunSettings::step.
nlohmann::ordered_json sets_json(const RunCount& count);

} // namespace gputest::memory
