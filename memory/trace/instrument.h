// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments a work-item's code to record which blocks it runs and which places it accesses.
#pragma once

#include "ir/kernel.h"
#include "memory/static/kernel.h"
#include "memory/trace/item_shape.h"

#include <llvm/IR/Function.h>

#include <vector>

namespace gputest::memory {

// The functions that instrumented code calls (recorder.h).
constexpr const char *kBeginFunction = "gputest_memory_begin", // (ptr context)
    *kBlockFunction = "gputest_memory_block",                  // (i64 block)
        *kOffsetFunction = "gputest_memory_offset",            // (i64 offset)
            *kPlaceFunction = "gputest_memory_place";          // (ptr place, i64 size)

struct InstrumentedItem {
  ItemShape shape;
  std::vector<Reference> references; // `object`: index in `objects`
  std::vector<int> objects;          // accessed objects: indices in the kernel's shape
  StaticKernel kernel;
};

// Simplifies `item` (lowered, ir/kernels/lower.h), places its __local variables and instruments it.
// Private variables are registers, so their accesses are no references. Throws SourceError with the
// name if the kernel has images.
InstrumentedItem instrument(llvm::Function& item, ir::KernelShape& shape);

} // namespace gputest::memory
