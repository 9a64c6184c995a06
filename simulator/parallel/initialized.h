// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings together which bytes of buffers the separate work-groups of a launch have initialized,
// when several processes have run them. Each process has shadow memory of its own
// (DefinednessMemory).
#pragma once

#include "ir/kernel.h"
#include "process/memory_file.h"
#include "templates/simulator/context.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gputest::simulator {

class Initialized {
public:
  // To be called before this process has forks.
  Initialized(const ir::KernelShape& shape, const gputest_context& context);

  // To be called in each process when it has run its groups; and here when all have.
  void tell();
  void adopt();

private:
  struct Buffer {
    std::span<std::byte> shadow;
    std::vector<std::byte> before;
    std::size_t offset; // in after_
  };
  std::vector<Buffer> buffers_;
  process::MemoryFile after_; // shadows as the groups leave them
};

} // namespace gputest::simulator
