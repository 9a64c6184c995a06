// Random kernels whose pointers may point into one of several objects, in OpenCL C and in CUDA, and
// what the check of bounds must say of them.
#pragma once

#include "tests/simulator/simulated.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::simulator::tests {

struct ChosenKernel {
  // The same kernel, with other arguments each. In the first run all accesses are inside.
  std::vector<Run> runs;
  struct Outside {
    unsigned line = 0; // 0: no access is outside
    std::string object{};
  };
  std::vector<Outside> expected; // of each run
};

// The same `seed` gives the same kernel on every machine.
ChosenKernel chosen_kernel(std::uint64_t seed, bool cuda);

} // namespace gputest::simulator::tests
