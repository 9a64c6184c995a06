// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/machine.h"

#include <fmt/format.h>

namespace gputest::runtime {

Exploration BuiltKernel::explore(const Launch&, std::vector<LaunchArgument>&,
                                 const std::vector<std::size_t>&, const ExplorationBounds&) {
  throw DeviceError("interleavings cannot be explored on this machine");
}

std::string not_in_step(const std::string& machine, unsigned work_items) {
  return fmt::format("it relies on {} work-items in lock step, which {} does not promise",
                     work_items, machine);
}

} // namespace gputest::runtime
