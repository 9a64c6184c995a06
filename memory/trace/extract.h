// A work-item's code as expressions of what its launch gives it (memory/static/program.h).
#pragma once

#include "memory/static/program.h"
#include "memory/trace/item_shape.h"

#include <llvm/IR/Function.h>

#include <vector>

namespace gputest::memory {

// Where a reference leads; `begin`: of its object, nullptr: it is not known.
struct ReferencePointer {
  llvm::Value* pointer = nullptr;
  const llvm::Value* begin = nullptr;
};

// `item` is as lower.h leaves it, with these blocks in the order of `shape`; `pointers` by
// reference. No blocks: it has more loops than kMostStaticLoops.
StaticProgram extract(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
                      const ItemShape& shape, const std::vector<ReferencePointer>& pointers);

} // namespace gputest::memory
