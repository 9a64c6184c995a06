// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Speeds up loops whose accesses of shared memory are known before they run, such as
//
//     for (int i = 0; i < n; ++i)
//       out[first + i] = in[first + i] ^ 0x5a;
//
// One check before the loop decides whether any access may race. If none may, all marks are set at
// once, and an unchecked copy of the loop runs, which LLVM can vectorise.
#pragma once

#include "ir/accesses.h"

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace gputest::simulator {

// The places of one access in a loop, computed before it.
struct LoopRange {
  const ir::Access* access;
  llvm::Value *begin, *count; // the lowest address; the number of accesses
  std::uint64_t stride;       // bytes from one to the next; 0: one place only
};

// Adds an unchecked copy to each innermost loop whose accesses in `shared` are all such ranges.
// `ask` emits code that decides (i1) whether the checked loop must run. `mark` emits code that sets
// the marks otherwise. The accesses in `shared` stay those of the checked loops.
class RangedLoops {
public:
  using Builder = llvm::IRBuilder<>;
  virtual ~RangedLoops() = default;
  void run(llvm::Function& item, const std::vector<ir::Access>& shared);

protected:
  virtual llvm::Value* ask(Builder& builder, const std::vector<LoopRange>& ranges) = 0;
  virtual void mark(Builder& builder, const std::vector<LoopRange>& ranges) = 0;
};

} // namespace gputest::simulator
