// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs all cases of a plan in workers, for tests and --coverage.
#pragma once

#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Prints verdicts and, with coverage, the summary. Writes the result file and its log. Returns the
// exit code 0, 1, 2 or 3. Throws UsageError, DeviceError or NoDevice where there is no result at
// all.
int run_plan(const Plan& plan, const KernelDescription& description);

// Prints the machines of all kinds, which a worker looks up. Throws NoDevice where there is none.
void print_devices(std::span<const MachineKind> kinds, const MachineRequest& request);

} // namespace gputest::runtime
