// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A coverage result as text for the terminal, in compiler style.
#pragma once

#include "model/coverage.h"

#include <string>

namespace gputest::runtime {

// Returns a line for each criterion and a note for each missing outcome. Divergent barriers and
// missed thresholds are errors, and what was not instrumented is a warning.
std::string coverage_text(const model::Coverage& coverage, const model::Thresholds& thresholds);

} // namespace gputest::runtime
