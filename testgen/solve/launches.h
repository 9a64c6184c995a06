// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proposes other sizes of a launch.
#pragma once

#include "testgen/concolic/inputs.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace gputest::testgen {

// Calls `offer` with values of all units, in which one dimension of the launch has other sizes,
// until `offer` returns true. Changes only sizes whose units are not fixed. Groups are full, a
// launch has at most kMostItems work-items, a group at most kMostItemsOfGroup, and small launches
// come first.
void offer_launches(const std::vector<Unit>& units, const std::vector<std::uint64_t>& values,
                    const std::function<bool(const std::vector<std::uint64_t>&)>& offer);

} // namespace gputest::testgen
