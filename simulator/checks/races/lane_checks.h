// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the check of races adds to a CUDA kernel's code to find accesses by lanes of a warp that
// only running in step orders (lock_step.h).
#pragma once

#include "ir/accesses.h"

#include <llvm/IR/IRBuilder.h>

#include <set>
#include <vector>

namespace gputest::simulator {

class LaneChecks {
public:
  // Looks at the accesses of a kernel, and sets the shape's `lock_step`. These are
  // examined: in a kernel with steps all accesses of __shared__ memory; and volatile ones of global
  // memory whose addresses depend only on the thread's indices, arguments and constants, so that
  // the author knows which lanes access them.
  void note(const std::vector<ir::Access>& shared, ir::KernelShape& shape);

  bool examines(const ir::Access& access) const;
  // Inserts the calls for such an access. `stored`: where its value is, or null.
  void examine(llvm::IRBuilder<>& builder, const ir::Access& access, llvm::Value* pointer,
               llvm::Value* site, llvm::Value* local, llvm::Value* stored) const;

  // Whether a thread may tell others something by an atomic or volatile access.
  bool is_message(const ir::Access& access) const { return flags_ && access.atomic; }
  void message(llvm::IRBuilder<>& builder, const ir::Access& access, llvm::Value* pointer,
               llvm::Value* writes) const;

private:
  bool steps_ = false, flags_ = false;
  std::set<const llvm::Instruction*> of_global_;
};

} // namespace gputest::simulator
