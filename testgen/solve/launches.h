// Launches of other sizes.
#pragma once

#include "testgen/concolic/inputs.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace gputest::testgen {

// Offers values of all units in which one dimension of the launch has other sizes, of those that
// the units leave open: groups that are full, at most kMostItems work-items and kMostItemsOfGroup
// in a group; small launches first. Until `offer` returns true.
void offer_launches(const std::vector<Unit>& units, const std::vector<std::uint64_t>& values,
                    const std::function<bool(const std::vector<std::uint64_t>&)>& offer);

} // namespace gputest::testgen
