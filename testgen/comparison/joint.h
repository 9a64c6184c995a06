// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of two kernels with the same input as one run, so that the solver can be asked about both.
#pragma once

#include "testgen/comparison/pairing.h"
#include "testgen/concolic/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gputest::testgen {

// A value that both kernels left in one place.
struct JointOutput {
  std::uint32_t argument = 0; // of the second kernel
  std::uint64_t offset = 0;   // bytes
  Label differs = 0;          // 1 bit; a constant: it never does, or always
};

struct Joint {
  // The inputs and the launch are the second kernel's. The events of one kernel come after those of
  // the other, so the solver keeps the path of the one while it changes a decision of the other.
  Traced traced;
  std::size_t own = 0;              // where the events of the later kernel begin
  std::vector<JointOutput> outputs; // those that can differ
};

enum class Later { First, Second };

// Joins two runs. `later`: whose events come last. nullopt: an input of the first has no
// counterpart among those of the second, such as a number of another size that is part of a struct,
// or the table of expressions is full.
std::optional<Joint> joined(const Pairing& pairing, const Traced& first, const Traced& second,
                            Later later);

} // namespace gputest::testgen
