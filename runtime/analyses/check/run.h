// --check: every case in the simulator, which looks for what no kernel may do; docs/simulator.md.
#pragma once

#include "runtime/plan/plan.h"

#include <cstdint>

namespace gputest::runtime {

// Runs each case with the plan's checks in ascending order, and then once without checks in
// descending order, in which work-groups that wait for earlier ones wait forever. Prints findings
// as editors read them and writes check.json. Returns 1 when there are any, when a case crashes or
// times out, else what other errors of cases say.
int run_checks(const Plan& plan, const KernelDescription& description);

struct CheckPlan {
  std::uint64_t interleavings = 0; // of a case, at most
};

// The checks go into plan.simulation.
void prepare_checks(Plan& plan, const Options& options);

} // namespace gputest::runtime
