// A test case in the simulator that is launched again and again.
#pragma once

#include "runtime/machine/repeated_case.h"

namespace gputest::runtime {

// As Machine::repeat(). The kernels it prepares are the simulator's.
std::unique_ptr<RepeatedCase> repeat_in_simulator(BoundCase test_case,
                                                  const std::vector<std::size_t>& outputs,
                                                  std::size_t state_bytes);

} // namespace gputest::runtime
