// Writing what an expression must be back to the inputs it is made of.
#pragma once

#include "testgen/concolic/evaluate.h"

#include <functional>
#include <vector>

namespace gputest::testgen {

// Calls `offer` with values of all units that may make `condition` hold: of its comparisons those
// that would be different are set right by one of their sides, on the boundary and next to it, and
// each side by way of each of its operands, while the other inputs stay. `offer` gives true to end
// it. Offers are proposals: rounding and overflow may make them wrong.
//
// `fixed`: by unit; those are never changed.
void offer_inverses(const Table& table, Label condition, const Functions* functions,
                    const std::vector<std::uint64_t>& values, const std::vector<bool>& fixed,
                    const std::function<bool(const std::vector<std::uint64_t>&)>& offer);

} // namespace gputest::testgen
