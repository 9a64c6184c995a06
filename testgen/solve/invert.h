// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a condition true by computing backwards from its operands to inputs.
#pragma once

#include "testgen/concolic/evaluate.h"

#include <functional>
#include <vector>

namespace gputest::testgen {

// For example, `in[3] + 7 == 10` sets in[3] to 3. Changes one side of each comparison in
// `condition` that has the wrong result, to the boundary and next to it. To change a side, it
// computes back through each of its operands in turn and keeps the other inputs. Calls `offer` with
// each proposal, the values of all units, until `offer` returns true. Rounding and overflow may
// make a proposal wrong.
//
// `fixed`: by unit; fixed units are not changed.
void offer_inverses(const Table& table, Label condition, const Functions* functions,
                    const std::vector<std::uint64_t>& values, const std::vector<bool>& fixed,
                    const std::function<bool(const std::vector<std::uint64_t>&)>& offer);

} // namespace gputest::testgen
