// Random kernels in which one work-item can be told to do something wrong, and what a check must
// say of it.
#pragma once

#include "tests/simulator/simulated.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::simulator::tests {

struct FaultyKernel {
  // Two groups of eight work-items. `faulty` arguments: no work-item has the number -1.
  Run run;

  struct Fault {
    std::size_t argument = 0; // the number of the work-item that is to fail
    std::string kind;
    unsigned line = 0;
  };
  std::vector<Fault> faults;

  // Names of the arguments, and the number of elements of buffers and __local memory.
  std::vector<std::string> names;
  std::vector<std::size_t> elements;
};

// The same `seed` gives the same kernel on every machine.
FaultyKernel faulty_kernel(std::uint64_t seed);

} // namespace gputest::simulator::tests
