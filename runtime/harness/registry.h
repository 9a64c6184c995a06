// The table of all kinds of machines and all analyses.
#pragma once

#include "runtime/plan/analysis.h"

namespace gputest::runtime {

Registry registry();

} // namespace gputest::runtime
