// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The context's sizes and ids.
#pragma once

#include "templates/simulator/context.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gputest::simulator {

// A work-item of the launch.
struct WorkItem {
  std::array<std::uint64_t, 3> group{}, local{};
};

// Sets the context to the group with this linear id.
void set_group(gputest_context& context, std::size_t group);

std::size_t groups_of(const gputest_context& context);
std::size_t items_of_group(const gputest_context& context);

// Return the work-item with these linear ids, and the running one (with checks).
WorkItem work_item(const gputest_context& context, std::size_t group, std::size_t item);
WorkItem running_item(const gputest_context& context);

} // namespace gputest::simulator
