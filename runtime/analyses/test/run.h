// Running all cases of a plan in workers, and what comes of it.
#pragma once

#include "gputest/harness.h"
#include "runtime/harness/plan.h"

namespace gputest::runtime {

// Prints verdicts and, with coverage, the summary; writes the result file and its log. Returns the
// exit code 0, 1, 2 or 3. Throws UsageError, DeviceError, NoDevice where there is no result at all.
int run_plan(const Plan& plan, const KernelDescription& description);

// The folder with the instrumented variant for this device: the one built, or another, made now, if
// the device's macros differ. In a worker.
std::filesystem::path variant_folder(const Plan& plan, Machine& machine);

// Prints the devices, looked up in a worker.
void print_devices(const std::filesystem::path& simulator);

} // namespace gputest::runtime
