// Where the ways from several stops come together (segments.h): with what follows a junction in
// each segment, code would grow with the number of stops. 50 stops ahead of the same 20,000
// instructions made 1,100,000.
#pragma once

#include <llvm/IR/Function.h>
#include <vector>

namespace gputest::simulator {

struct Junction {
  llvm::BasicBlock* block = nullptr;
  std::vector<llvm::BasicBlock*> from; // its predecessors, but those of a loop that begins with it
};

// The blocks of `function` that are worth a segment of their own. Code begins at `begins`, of which
// one is the function's first block, and ends at `ends`. None where all that can be reached from
// each beginning is little, or not much more than the function.
std::vector<Junction> find_junctions(llvm::Function& function,
                                     const std::vector<llvm::BasicBlock*>& begins,
                                     const std::vector<llvm::BasicBlock*>& ends);

} // namespace gputest::simulator
