// What the work-items of a warp did, each by itself, as what the warp did.
#pragma once

#include "memory/model/trace.h"
#include "memory/trace/item_shape.h"

#include <span>

namespace gputest::memory {

// `items`: those of the warp, by lane. `references`: those of the trace.
void merge_warp(const ItemShape& shape, std::span<const Reference> references,
                std::span<const ItemWords> items, WarpWriter& warp);

} // namespace gputest::memory
