// Blocks that are there at the same time and wait for each other: grid_group::sync() of cooperative
// launches.
#pragma once

#include "ir/kernel.h"
#include "simulator/checks/monitor.h"
#include "templates/simulator/context.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace gputest::simulator::cuda {

using Objects = std::vector<gputest_context::gputest_object>;

// Runs each block to where it waits for the others, and then all of them on from there, until none
// is left. Blocks that have ended are not waited for; that is a finding. They take turns in the
// order of `order` (linear ids; empty: ascending). `objects_of_block` gives the objects of one
// more block; `run` runs the block that `context` names.
void run_together(const KernelShape& shape, gputest_context& context, Monitor& monitor,
                  const std::vector<std::uint32_t>& order,
                  const std::function<Objects()>& objects_of_block,
                  const std::function<void()>& run);

} // namespace gputest::simulator::cuda
