// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in the way of a kernel that is at fault with every input.
#pragma once

#include "testgen/goals/deadline.h"
#include "testgen/input_search.h"

#include <string>

namespace gputest::testgen {

// Returns the finding that most inputs have, and the smallest input with it that is found by
// `until`: "spmv.cl:4:9: data race on …; the smallest input with it: global size 2, local size 1, n
// = 2". Empty: the search has no finding. Throws what the worker throws.
std::string smallest_fault(const Target& target, const Constraints& constraints,
                           const InputSearch& search, Mutator& mutator, Worker& worker,
                           Deadline until);

} // namespace gputest::testgen
