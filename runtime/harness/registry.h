// The kinds of machines and the analyses that there are.
#pragma once

#include "runtime/plan/analysis.h"

namespace gputest::runtime {

Registry registry();

} // namespace gputest::runtime
