// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a work-item's code to expressions over its launch (memory/static/kernel.h).
#pragma once

#include "memory/static/kernel.h"
#include "memory/trace/item_shape.h"

#include <llvm/IR/Function.h>

#include <vector>

namespace gputest::memory {

// The pointer of a reference. `begin`: the begin of its object; nullptr: not known.
struct ReferencePointer {
  llvm::Value* pointer = nullptr;
  const llvm::Value* begin = nullptr;
};

// `item`: lowered (ir/kernels/lower.h). `order`: its blocks in the order of `shape`. `pointers`: by
// reference. Returns a kernel without blocks if there are more loops than kMostStaticLoops.
StaticKernel extract(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
                     const ItemShape& shape, const std::vector<ReferencePointer>& pointers);

} // namespace gputest::memory
