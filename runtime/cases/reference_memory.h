// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a reference function works on.
#pragma once

#include "gputest/reference.h"
#include "runtime/cases/bound_case.h"

#include <span>
#include <vector>

namespace gputest::runtime {

// Copies of the kernel's arguments from before the launch, and memory for __local ones. All are
// aligned like double16, the widest type of OpenCL C, because the function may take a cl_double16*.
// The case must outlive them.
class ReferenceMemory {
public:
  explicit ReferenceMemory(const BoundCase& initial);

  ReferenceCall call() const { return {initial_.launch, arguments_}; }

  std::vector<std::span<std::byte>> bytes; // by position

private:
  const BoundCase& initial_;
  std::vector<Bytes> storage_;
  std::vector<ReferenceCall::Argument> arguments_;
};

} // namespace gputest::runtime
