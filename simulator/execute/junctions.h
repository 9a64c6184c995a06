// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds junctions, where paths from several stops meet (segments.h). If each segment had its own
// copy of the code after a junction, code would grow with the number of stops: 50 stops ahead of
// the same 20,000 instructions made 1,100,000.
#pragma once

#include <llvm/IR/Function.h>
#include <vector>

namespace gputest::simulator {

struct Junction {
  llvm::BasicBlock* block = nullptr;
  std::vector<llvm::BasicBlock*> from; // its predecessors, without back edges of its loop
};

// Returns the blocks of `function` that are worth a segment of their own. Code begins at `begins`,
// one of which is the function's entry, and ends at `ends`. Returns none if the code reachable from
// all begins is small, or not much larger than the function.
std::vector<Junction> find_junctions(llvm::Function& function,
                                     const std::vector<llvm::BasicBlock*>& begins,
                                     const std::vector<llvm::BasicBlock*>& ends);

} // namespace gputest::simulator
