// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test case that is launched repeatedly in the simulator.
#pragma once

#include "runtime/machine/repeated_case.h"

namespace gputest::runtime {

// As Machine::repeat(). prepare() takes kernels that the simulator built.
std::unique_ptr<RepeatedCase> repeat_in_simulator(BoundCase test_case,
                                                  const std::vector<std::size_t>& outputs,
                                                  std::size_t state_bytes);

} // namespace gputest::runtime
