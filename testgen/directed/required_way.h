// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requirements as conditions on the numbers of a traced run, so that the solver's answers obey
// them.
#pragma once

#include "testgen/concolic/trace.h"
#include "testgen/inputs/constraints.h"

#include <vector>

namespace gputest::testgen {

// Returns conditions of 1 bit in `table`, a copy of `traced.table`, that hold where the
// requirements do: neighbours in order, no two elements equal, sums, what each element must be.
// Sizes of buffers are those of the run, and so is what is an index. Left out are requirements on
// floating-point numbers but their order, and those on too many elements: what the solver finds is
// then repaired, or not taken.
std::vector<Label> required_way(const Traced& traced, Table& table, const Target& target,
                                const Constraints& constraints);

} // namespace gputest::testgen
