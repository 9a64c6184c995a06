// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels use of the simulator by name.
#pragma once

#include <string>

namespace gputest::simulator {

// A function or variable of the simulator that kernels use by its name.
struct NativeSymbol {
  std::string name;
  void* address;
};

} // namespace gputest::simulator
