// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a fault to a finding.
#pragma once

#include "simulator/checks/finding.h"
#include "simulator/execute/loader.h"
#include "simulator/memory/arena.h"
#include "simulator/memory/guard.h"

namespace gputest::simulator {

// `context`: that of the group that ran. `limit`: the launch's seconds.
Finding finding_of(const Fault& fault, const LoadedCode& code, const ir::KernelShape& shape,
                   const Arena& arena, const gputest_context& context, double limit);

} // namespace gputest::simulator
