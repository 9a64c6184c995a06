// --tally, a made-up analysis: it counts the cases.
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::tests {

runtime::AnalysisRun tally_analysis();

} // namespace gputest::tests
