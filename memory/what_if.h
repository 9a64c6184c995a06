// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries changes in the model to see what would help.
#pragma once

#include "memory/analysis.h"

namespace gputest::memory {

constexpr double kLeastGain = 1; // percent of the cycles; smaller changes are not reported

// Returns the gain as a percentage of the report's cycles; negative: it takes longer.
double gain_percent(const CaseReport& report, Cycles cycles);

// Tries the changes that suit each warning's kind, the best ones together, and then those that need
// no warning: tiles in local memory, and several neighbours for each work-item. Adds those that
// save at least kLeastGain percent of the cycles to the report's `what_ifs`.
void try_changes(const Gpu& gpu, const LaunchTrace& trace, CaseReport& report);

// Drops the hints of tiles for variables that a kernel reads where data send it: nothing could load
// such a tile in front of a barrier. Needs the results of the static analysis.
void drop_tiles_of_data(CaseReport& report);

} // namespace gputest::memory
