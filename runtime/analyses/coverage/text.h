// A coverage result as text for the terminal, in compiler style.
#pragma once

#include "model/coverage.h"

#include <string>

namespace gputest::runtime {

// One line for each criterion, a note for each outcome that is missing, divergent barriers as
// errors, what was not instrumented as warnings, missed thresholds as errors.
std::string coverage_text(const model::Coverage& coverage, const model::Thresholds& thresholds);

} // namespace gputest::runtime
