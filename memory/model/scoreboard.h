// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loads of a warp that goes on until an instruction needs a value.
#pragma once

#include "memory/model/memory_unit.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::memory {

class Scoreboard {
public:
  struct Flight {
    std::uint32_t reference = 0;
    MemoryUnit::Done done{};
  };

  void add(std::uint32_t reference, const MemoryUnit::Done& done);

  // Returns the load that the warp has to wait for at `at`, because `most` are in flight: the first
  // to end. Null: there is room for another one.
  const Flight* in_the_way(Cycles at, std::size_t most);

  // Returns the load whose value is needed. Null: none. With Need::Unrolled, the value is needed
  // only where `unrolled` executions were not waited for; with Need::Unwound it is never if
  // `unrolled` is more than 1.
  const MemoryUnit::Done* needed(std::uint32_t reference, Need need, std::size_t unrolled);

private:
  struct Load {
    std::uint32_t reference = 0;
    std::size_t executions = 0; // not waited for
    MemoryUnit::Done last{}, before{};
  };

  std::vector<Load> loads_; // those of the warp so far
  std::vector<Flight> flights_;
};

} // namespace gputest::memory
