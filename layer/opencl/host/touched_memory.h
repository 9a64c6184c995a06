// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the bytes that commands access, until the host knows that the commands are complete. Finds
// accesses that nothing orders.
#pragma once

#include "layer/opencl/host/command_order.h"

#include <map>

namespace gputest::layer {

struct Touch {
  std::uint64_t begin = 0, size = 0; // bytes of the memory
  bool write = false, atomic = false;
};

struct TouchConflict {
  CommandPtr earlier;
  Touch of_earlier, of_later;
  std::uint64_t byte = 0; // the first one of both
};

class TouchedMemory {
public:
  // Adds what a command accesses of `memory`, a handle. Returns one conflict for each earlier
  // command with which nothing orders it. `host`: CommandOrder::host().
  std::vector<TouchConflict> add(const void* memory, const CommandPtr& command,
                                 std::vector<Touch> touches, const Clock& host);
  void forget(const void* memory); // it is free

  // The oldest commands are forgotten if more than these access one memory.
  static constexpr std::size_t kMost = 4096;

private:
  struct Entry {
    CommandPtr command;
    std::vector<Touch> touches; // in order of `begin`
  };
  std::map<const void*, std::vector<Entry>> memory_;
};

} // namespace gputest::layer
