// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the blocks that a kernel has enqueued, and those that these enqueue.
#pragma once

#include "simulator/execute/kernel_run.h"

namespace gputest::simulator {

// The launch that has enqueued blocks.
struct FirstLaunch {
  const ir::KernelShape& shape;
  const LaunchRequest& request;
  LaunchMemory& memory;
  ProgramVariables& variables;
};

// Runs the blocks one after the other once the kernel has ended, which all flags of
// enqueue_kernel() allow. Of several that may run, the order of the launch's groups chooses. Adds
// what they do to `result`, and stops at a fault.
void run_enqueued(InCommon& in_common, const BlockKernels& blocks, const FirstLaunch& first,
                  LaunchResult& result);

} // namespace gputest::simulator
