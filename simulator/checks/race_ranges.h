// Loops whose accesses of shared memory are known before they run:
//
//     for (int i = 0; i < n; ++i)
//       out[first + i] = in[first + i] ^ 0x5a;
//
// One look at all of them tells whether any may race. If none may, their marks are left at once,
// and a copy of the loop runs that is not checked, and that LLVM can vectorise.
#pragma once

#include "ir/accesses.h"

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace gputest::simulator {

// Places that a loop accesses, computed before it.
struct LoopRange {
  const Access* access;
  llvm::Value *begin, *count; // the lowest address; how many accesses
  std::uint64_t stride;       // bytes from one to the next; 0: there is one
};

// Gives each innermost loop of which all accesses in `shared` are such ranges a copy. `ask` makes
// code that says (as i1) whether the loop must be checked, and `mark` code for when it need not.
// The accesses of `shared` are those of the loops that are checked.
class RangedLoops {
public:
  using Builder = llvm::IRBuilder<>;
  virtual ~RangedLoops() = default;
  void run(llvm::Function& item, const std::vector<Access>& shared);

protected:
  virtual llvm::Value* ask(Builder& builder, const std::vector<LoopRange>& ranges) = 0;
  virtual void mark(Builder& builder, const std::vector<LoopRange>& ranges) = 0;
};

} // namespace gputest::simulator
