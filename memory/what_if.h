// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries changes in the model to see what would help.
#pragma once

#include "memory/analysis.h"

namespace gputest::memory {

constexpr double kLeastGain = 1; // percent of the cycles; smaller changes are not reported

// Returns the gain as a percentage of the report's cycles; negative: it takes longer.
double gain_percent(const CaseReport& report, Cycles cycles);

// Tries the changes that suit each warning's kind, and at the end the best ones together. Adds
// those that change at least kLeastGain percent of the cycles to the report's `what_ifs`.
void try_changes(const Gpu& gpu, const LaunchTrace& trace, CaseReport& report);

} // namespace gputest::memory
