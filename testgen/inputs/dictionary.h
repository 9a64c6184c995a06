// The constants of a kernel's source: values that its conditions are likely to be about.
#pragma once

#include <cstdint>
#include <llvm/IR/Function.h>
#include <vector>

namespace gputest::testgen {

struct Dictionary {
  std::vector<std::int64_t> integers; // ascending, each once; 64-bit unsigned ones wrap
  std::vector<double> reals;          // ascending, each once
  unsigned dimensions = 1;            // that the source asks work-item functions about, 1 to 3
  bool launch_sizes = false;          // the source asks for sizes of the launch
  bool warps = false;                 // threads tell each other of their warp something
};

// The constants of all functions of the kernel's module, because macros and helpers hold them.
// `by_itself`: only of those that the kernel calls, because the module may have many others.
Dictionary dictionary_of(llvm::Function& kernel, bool by_itself);

} // namespace gputest::testgen
