// In which order the work-items of a group take their turns; that of groups is model::permutation.
#pragma once

#include "model/schedule.h"

#include <cstdint>
#include <vector>

namespace gputest::simulator {

// Of a group with `count` of the launch's work-items: `order` is one of a full group, of which
// those there are keep their places.
std::vector<std::uint32_t> order_within(const std::vector<std::uint32_t>& order, std::size_t count);

} // namespace gputest::simulator
