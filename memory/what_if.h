// What would help: changes that are tried in the model.
#pragma once

#include "memory/analysis.h"

namespace gputest::memory {

constexpr double kLeastGain = 1; // percent of the cycles: what changes less is not told

// Of the report's cycles; negative: it takes longer.
double gain_percent(const CaseReport& report, Cycles cycles);

// For each warning of the report the changes that its kind asks for, and at the end those together
// that help most. What changes at least 1 % of the cycles is in the report's `what_ifs`.
void try_changes(const Gpu& gpu, const LaunchTrace& trace, CaseReport& report);

} // namespace gputest::memory
