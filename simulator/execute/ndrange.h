// What kernels see of a launch's sizes.
#pragma once

#include "simulator/execute/launch.h"
#include "templates/simulator/context.h"

namespace gputest::simulator {

// A context that has no group yet, and no memory.
gputest_context context_of(const LaunchRequest& request);

// Makes it that of the group with this linear id.
void set_group(gputest_context& context, std::size_t group);

std::size_t groups_of(const gputest_context& context);
std::size_t items_of_group(const gputest_context& context);
std::size_t items_of_group(const LaunchRequest& request); // of a full one

// The work-item with this linear id in the group with that one; and the one that runs, with checks.
WorkItem work_item(const gputest_context& context, std::size_t group, std::size_t item);
WorkItem running_item(const gputest_context& context);

} // namespace gputest::simulator
