// Running all cases of a plan in workers, and what comes of it.
#pragma once

#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Prints verdicts and, with coverage, the summary; writes the result file and its log. Returns the
// exit code 0, 1, 2 or 3. Throws UsageError, DeviceError, NoDevice where there is no result at all.
int run_plan(const Plan& plan, const KernelDescription& description);

// Prints the machines of all kinds, looked up in a worker. Throws NoDevice where there is none.
void print_devices(std::span<const MachineKind> kinds, const MachineRequest& request);

} // namespace gputest::runtime
