// What two runs of one test case left in its buffers and images, argument by argument; and which of
// it is no fault of what is compared, because one kernel does it from run to run.
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

// By compare_bits, or within a tolerance. Both cases have the same arguments; what differs is the
// memory that was read back.
std::vector<MemoryDifference> differences(const BoundCase& expected, const BoundCase& actual);
std::vector<MemoryDifference> differences(const BoundCase& expected, const BoundCase& actual,
                                          const Tolerance& tolerance);

// The positions whose memory is another one in any of `runs` runs that `again` makes, bit for bit.
std::set<std::size_t> varying(const BoundCase& first, unsigned runs,
                              const std::function<BoundCase()>& again);

// "'out', 'sum'".
std::string quoted_names(const std::set<std::size_t>& positions, const BoundCase& test_case);

} // namespace gputest::runtime
