// In which order work-groups, and work-items of a group, take their turns.
#pragma once

#include "simulator/launch.h"

#include <cstdint>
#include <vector>

namespace gputest::simulator {

// Of `count` linear ids. Random: the same for the same seed and stream on every machine.
std::vector<std::uint32_t> order_of(Order::Kind kind, std::size_t count, std::uint64_t seed,
                                    std::uint64_t stream);

} // namespace gputest::simulator
