// Random kernels that copy structs, vectors and arrays, in OpenCL C and in CUDA, and what checks
// must say of them. The layout of types and what is written are computed here, by the rules of C.
#pragma once

#include "tests/simulator/simulated.h"

#include <cstdint>
#include <vector>

namespace gputest::simulator::tests {

struct AggregateKernel {
  std::vector<Run> runs;      // the same kernel, with other arguments each
  std::vector<unsigned> line; // of each run: where the finding must be; 0: there must be none
};

// The same `seed` gives the same kernel on every machine.

// A value of private or on-chip memory is written by parts, and goes to global memory by some way.
// One part is not written, another one in each run; in the first run all are.
AggregateKernel copied_aggregate(std::uint64_t seed, bool cuda);

// A value is read or written at a byte that its type allows or not, another one in each run.
AggregateKernel placed_aggregate(std::uint64_t seed, bool cuda);

} // namespace gputest::simulator::tests
