// --memory: what makes the cases slow on the model of a GPU; docs/memory.md.
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Becomes `gputest memory`, where there are shards with what they have found. Throws UsageError and
// DeviceError.
int run_memory(const Plan& plan, const KernelDescription& description);

} // namespace gputest::runtime
