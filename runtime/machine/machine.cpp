// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/machine.h"

namespace gputest::runtime {

Exploration BuiltKernel::explore(const Launch&, std::vector<LaunchArgument>&,
                                 const std::vector<std::size_t>&, const ExplorationBounds&) {
  throw DeviceError("interleavings cannot be explored on this machine");
}

} // namespace gputest::runtime
