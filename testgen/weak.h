// Cases that say little as tests, because many faults would leave their outputs as they are.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/worker.h"

#include <string>

namespace gputest::testgen {

// Each output is one value all over, or is what it was before the launch.
bool is_weak(const Target& target, const Input& input, const Checked& checked);

// What makes a valid input weak: that, or outputs that stay as they are when the values that the
// kernel reads are others. Empty: nothing. Throws what the worker throws.
std::string why_weak(const Target& target, const Constraints& constraints, Worker& worker,
                     const Input& input, const Checked& checked);

} // namespace gputest::testgen
