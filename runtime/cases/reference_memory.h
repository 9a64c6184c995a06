// What a reference function works on.
#pragma once

#include "gputest/reference.h"
#include "runtime/cases/bound_case.h"

#include <span>
#include <vector>

namespace gputest::runtime {

// Copies of the kernel's arguments as it got them, with memory for __local ones. Aligned like the
// widest type of OpenCL C, double16: the function may well take a cl_double16*. The case must
// outlive them.
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
