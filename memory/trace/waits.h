// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which instruction needs the value of which load, so that a model's warp goes on until
// then:
//
//     float x = a[i], y = b[i];  // y is asked for before x is there
//     c[i] = x + y;              // waits for both
//
// An address, a stored value, and the condition of a branch are needed at once. What else needs a
// value needs it at the end of its block: compilers move independent loads to the front. In an
// innermost loop without branches and barriers they unroll, too (Need::Unrolled), as long as
// nothing is written to memory that the loop reads.
#pragma once

#include "memory/trace/item_shape.h"

#include <llvm/IR/Function.h>

#include <span>
#include <vector>

namespace gputest::memory {

// By block and step: the instruction that it describes.
using InstructionsOfSteps = std::vector<std::vector<const llvm::Instruction*>>;

// Loops with more iterations do not disappear, even if their number is known.
constexpr unsigned kMostUnwound = 32;

// Adds the waits to `shape`, whose blocks are those of `order`. `references`: what its accesses
// are.
void add_waits(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
               const InstructionsOfSteps& instructions, std::span<const Reference> references,
               ItemShape& shape);

} // namespace gputest::memory
