// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what two runs of one test case left in its buffers and images, argument by argument. It
// also finds which memory varies from run to run of one kernel, and so tells nothing of what is
// compared.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/cases/comparison.h"

#include <functional>
#include <set>
#include <vector>

namespace gputest::runtime {

struct MemoryDifference {
  std::size_t position = 0; // of the argument
  Comparison comparison;
};

// Returns the arguments whose memory differs, by compare_bits() or within a tolerance. Both cases
// have the same arguments, and their memory has been read back.
std::vector<MemoryDifference> differences(const BoundCase& expected, const BoundCase& actual);
std::vector<MemoryDifference> differences(const BoundCase& expected, const BoundCase& actual,
                                          const Tolerance& tolerance);

// Returns the positions whose memory differs, bit for bit, from `first` in any of `runs` runs.
// `again` makes a run.
std::set<std::size_t> varying(const BoundCase& first, unsigned runs,
                              const std::function<BoundCase()>& again);

// Returns "'out', 'sum'".
std::string quoted_names(const std::set<std::size_t>& positions, const BoundCase& test_case);

} // namespace gputest::runtime
