// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells differences that rounding explains from faults: a sum in another order may be another
// number, and where terms cancel, or numbers overflow, it may be any other number.
#pragma once

#include "testgen/comparison/outputs.h"
#include "testgen/inputs/random.h"
#include "testgen/worker.h"

#include <span>

namespace gputest::testgen {

// Runs the second kernel a few times with floating-point inputs that are changed in the last digit.
// Returns true if its outputs then move about as far as every difference is large. Numbers that are
// not finite are explained by inputs whose products overflow. Without floating-point inputs,
// nothing is explained.
bool is_rounding(const Target& second, Worker& worker, const Input& input,
                 std::span<const OutputDifference> differences, Random& random);

} // namespace gputest::testgen
