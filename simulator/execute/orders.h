// In which order the work-items of a group take their turns; that of groups is model::permutation.
#pragma once

#include "model/schedules/schedule.h"

#include <cstdint>
#include <vector>

namespace gputest::simulator {

// The order of a group that has `count` work-items. `order` is that of a full group; the work-items
// that are there keep their places.
std::vector<std::uint32_t> order_within(const std::vector<std::uint32_t>& order, std::size_t count);

} // namespace gputest::simulator
