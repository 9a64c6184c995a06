// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace of a launch whose work-items do what several neighbours did, with accesses of vectors.
#pragma once

#include "memory/model/trace.h"

#include <cstddef>
#include <optional>

namespace gputest::memory {

constexpr std::uint32_t kMostVectorBytes = 16;

// Work-items that neighbours[i] in a warp stood for before are one. So `count` warps of a group
// become one, if they do the same: the same instructions, accesses and barriers, all work-items
// together. An access whose `count` neighbours are side by side, in at most kMostVectorBytes and
// aligned to them, is one access of a vector, and an access of one place by all of them is one.
// Others follow each other. Instructions that compute are those of all neighbours. Returns nothing
// if the warps differ, or if no access becomes one of a vector.
std::optional<LaunchTrace> with_neighbours(const LaunchTrace& trace, std::size_t count);

} // namespace gputest::memory
