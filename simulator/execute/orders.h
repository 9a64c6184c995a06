// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of work-items in a group. model::permutation() is the order of groups.
#pragma once

#include "model/schedules/schedule.h"

#include <cstdint>
#include <vector>

namespace gputest::simulator {

// Returns the order for a group of `count` work-items: `order`, that of a full group, without the
// missing ones.
std::vector<std::uint32_t> order_within(const std::vector<std::uint32_t>& order, std::size_t count);

} // namespace gputest::simulator
