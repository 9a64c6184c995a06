// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments a work-item's code to record which blocks it runs and which places it accesses.
#pragma once

#include "ir/kernel.h"
#include "memory/static/kernel.h"
#include "memory/trace/item_shape.h"

#include <llvm/IR/Function.h>

#include <map>
#include <set>
#include <vector>

namespace gputest::memory {

// The functions that instrumented code calls (recorder.h).
constexpr const char *kBeginFunction = "gputest_memory_begin", // (ptr context)
    *kBlockFunction = "gputest_memory_block",                  // (i64 block)
        *kOffsetFunction = "gputest_memory_offset",            // (i64 offset)
            *kPlaceFunction = "gputest_memory_place",          // (ptr place, i64 size)
                *kTexelsFunction =
                    "gputest_memory_texels", // (ptr image, i64 number): what it accessed
                    *kOwnFunction =
                        "gputest_memory_own"; // (ptr array, i64 size, i64 object): of the work-item

struct InstrumentedItem {
  ItemShape shape;
  std::vector<Reference> references; // `object`: index in `objects`
  std::vector<int> objects;          // accessed objects: indices in the kernel's shape
  std::map<int, Indexed> indexed;    // of these: private arrays
  std::set<int> constants;           // of these: __constant memory
  std::vector<unsigned> images;      // parameters; their objects come behind the others
  StaticKernel kernel;
};

// Simplifies `item` (lowered, ir/kernels/lower.h), places its __local variables and instruments it.
// Private variables are registers, so their accesses are no references, except for arrays that may
// be in memory (private_arrays.h).
InstrumentedItem instrument(llvm::Function& item, ir::KernelShape& shape);

} // namespace gputest::memory
