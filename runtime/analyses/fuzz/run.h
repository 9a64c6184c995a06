// --fuzz: new inputs for some time, each in the simulator under its checks; docs/fuzzing.md.
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Becomes `gputest fuzz`, which makes the inputs and launches them, and which starts this program
// again with --judge to ask about what they left (judge.h). Returns with --judge, and where there
// are shards.
int run_fuzz(const Plan& plan, const KernelDescription& description);

} // namespace gputest::runtime
