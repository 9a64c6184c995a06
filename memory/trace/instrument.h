// Makes a work-item's code say which blocks it runs and which places it accesses.
#pragma once

#include "ir/kernel.h"
#include "memory/static/program.h"
#include "memory/trace/item_shape.h"

#include <llvm/IR/Function.h>

#include <vector>

namespace gputest::memory {

// What instrumented code calls (recorder.h).
constexpr const char *kBeginFunction = "gputest_memory_begin", // (ptr context)
    *kBlockFunction = "gputest_memory_block",                  // (i64 block)
        *kOffsetFunction = "gputest_memory_offset",            // (i64 offset)
            *kPlaceFunction = "gputest_memory_place";          // (ptr place, i64 size)

struct InstrumentedItem {
  ItemShape shape;
  std::vector<Reference> references; // `object`: index in `objects`
  std::vector<int> objects;          // that are accessed: indices in the kernel's shape
  StaticProgram program;
};

// `item` (lower.h) is simplified and its __local variables are placed. Private variables are
// registers: what is known to access one is no reference. Throws SourceError for images, by name.
InstrumentedItem instrument(llvm::Function& item, simulator::KernelShape& shape);

} // namespace gputest::memory
