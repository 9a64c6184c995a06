// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timelines of warps, in Chrome's trace format (for Perfetto) and in memory.json.
#pragma once

#include "memory/analysis.h"
#include "model/memory/results.h"

#include <nlohmann/json_fwd.hpp>

namespace gputest::memory {

// Returns Chrome's trace format. `count`: of a run with RunSettings::spans. Cores are processes,
// warps are threads, and a cycle is a microsecond.
nlohmann::ordered_json timeline_json(const RunCount& count, const CaseReport& report);

// Returns the length of a step of time for the two functions below, which show a limited number of
// steps.
Cycles step_of(Cycles cycles);

// Returns a compact timeline for memory.json: what the first warps do most in each step.
model::MemoryTimeline steps_of(const RunCount& count);

// Returns the misses of the nearest caches' sets in each step. `count`: of a run with
// RunSettings::step.
model::MemorySets sets_of(const RunCount& count);

} // namespace gputest::memory
