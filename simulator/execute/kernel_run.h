// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the work-groups of one kernel in memory that has been placed.
#pragma once

#include "simulator/execute/launch.h"
#include "simulator/execute/launch_memory.h"
#include "simulator/natives/device_queue.h"
#include "simulator/natives/pipes.h"

namespace gputest::simulator {

// What a launch and the blocks that it enqueues have in common.
struct InCommon {
  DeviceQueue queue;
  Pipes pipes;
  std::vector<Accessed> accessed{}; // by the last kernel, if its request asks for that
};

// Throws InputError if orders do not fit the sizes.
LaunchResult run_kernel(const LoadedCode& code, const ir::KernelShape& shape,
                        const LaunchRequest& request, LaunchMemory& memory, InCommon& in_common,
                        const KnownAccesses& accesses = {});

} // namespace gputest::simulator
