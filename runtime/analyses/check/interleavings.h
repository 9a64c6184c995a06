// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores every interleaving of the work-items of one test case. The result is a proof that all of
// them leave the same outputs, or two accesses whose order decides what is left.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/machine/machine.h"

#include <string>
#include <vector>

namespace gputest::runtime {

struct InterleavedCase {
  bool proved = false; // every interleaving leaves the same outputs, within the tolerance
  std::string message; // "all 4 inequivalent interleavings leave the same outputs", or why there is
                       // no proof
  std::vector<model::Finding> findings{}; // each with a schedule that shows it
  double seconds = 0;
};

// `kernel` was built by `machine`, whose kind explores interleavings. Once outputs differ,
// exploration stops after 2 million more accesses, unless the case has a tolerance. Throws what
// BuiltKernel::explore() and launch() throw.
InterleavedCase explore_case(Machine& machine, BuiltKernel& kernel, const std::string& kernel_name,
                             BoundCase test_case, const ExplorationBounds& bounds);

} // namespace gputest::runtime
