// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the constants of a kernel's source, because its conditions are likely to compare with
// them.
#pragma once

#include <cstdint>
#include <llvm/IR/Function.h>
#include <vector>

namespace gputest::testgen {

struct Dictionary {
  std::vector<std::int64_t> integers; // ascending, each once; 64-bit unsigned ones wrap
  std::vector<double> reals;          // ascending, each once
  unsigned dimensions = 1;            // 1 to 3: those that work-item functions are called with
  bool launch_sizes = false;          // the source asks for sizes of the launch
  bool warps = false;                 // the source uses functions of warps
};

// Collects from all functions of the kernel's module, because helpers have constants, too.
// `by_itself`: collects only from the kernel and what it calls, because the module may have many
// other functions.
Dictionary dictionary_of(llvm::Function& kernel, bool by_itself);

} // namespace gputest::testgen
