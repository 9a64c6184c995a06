// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges the records of a warp's work-items to the events of the warp.
#pragma once

#include "memory/model/trace.h"
#include "memory/trace/item_shape.h"

#include <span>

namespace gputest::memory {

// `items`: the warp's records by lane. `trace`: that of `warp`, of which references and objects are
// used.
void merge_warp(const ItemShape& shape, const LaunchTrace& trace, std::span<const ItemWords> items,
                const WarpShape& warps, WarpWriter& warp);

} // namespace gputest::memory
