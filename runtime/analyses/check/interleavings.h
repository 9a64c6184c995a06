// One test case under every interleaving of its work-items: a proof that none leaves other outputs,
// or two accesses whose order decides.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/machine/machine.h"

#include <string>
#include <vector>

namespace gputest::runtime {

struct InterleavedCase {
  bool proved = false; // every interleaving leaves the same, within the case's tolerance
  std::string message; // "all 4 inequivalent interleavings leave the same outputs", or why not
  std::vector<model::Finding> findings{}; // with schedules that show them
  double seconds = 0;
};

// `kernel` is one of `machine`. Throws what launches throw.
InterleavedCase explore_case(Machine& machine, BuiltKernel& kernel, const std::string& kernel_name,
                             BoundCase test_case, const ExplorationBounds& bounds);

} // namespace gputest::runtime
