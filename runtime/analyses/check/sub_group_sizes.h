// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a test case with sub-groups of each size that the simulator has, and compares the outputs.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

#include <memory>
#include <string>
#include <vector>

namespace gputest::runtime {

struct SizedCase {
  std::string message; // what was compared, for people
  std::vector<model::Finding> findings{};
  double seconds = 0; // of the kernels
};

// A kernel, built for each size.
class SubGroupSizes {
public:
  // `machine` must outlive this. Throws what Machine::build() throws.
  SubGroupSizes(Machine& machine, const Plan& plan, const Subject& subject);

  // Launches the case with each size, as the machine's simulation says. A finding of the kind
  // sub_group_dependence says which output differs from the one with the first size by more than
  // the case's tolerance. Other findings tell their size. Throws what BuiltKernel::launch() throws.
  SizedCase run(BoundCase test_case) const;

private:
  struct Sized {
    std::string size;
    std::unique_ptr<BuiltKernel> kernel;
  };
  Machine& machine_;
  model::CodePlace place_; // of the kernel
  std::vector<Sized> kernels_;
};

} // namespace gputest::runtime
