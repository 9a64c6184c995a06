// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the private arrays that a GPU may have in memory: registers have no index that shows only
// when the kernel runs, and there are not many of them.
#pragma once

#include "memory/model/gpu.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>

namespace gputest::memory {

struct PrivateArray {
  std::uint64_t size = 0; // bytes
  // Accesses whose index is neither a constant nor a counter of loops that compilers unroll: those
  // of at most kMostUnwound iterations, a known number (waits.h). Writes also where a pointer to
  // the array goes elsewhere.
  Indexed indexed = Indexed::None;
};

// Returns the arrays of `item` that some GPU may have in memory, after what optimisation removes.
std::map<const llvm::AllocaInst*, PrivateArray> private_arrays(llvm::Function& item);

} // namespace gputest::memory
