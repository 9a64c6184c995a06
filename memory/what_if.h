// What would help: changes that are tried in the model.
#pragma once

#include "memory/analysis.h"

namespace gputest::memory {

// For each warning of the report the changes that its kind asks for, and at the end those together
// that help most. What changes at least 1 % of the cycles is in the report's `what_ifs`.
void try_changes(const Gpu& gpu, const LaunchTrace& trace, CaseReport& report);

} // namespace gputest::memory
