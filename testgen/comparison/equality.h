// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that two kernels leave the same outputs, whatever their inputs are.
#pragma once

#include "testgen/comparison/pairing.h"

#include <string>

namespace gputest::testgen {

struct EqualityProof {
  bool proved = false;
  std::string why; // not proved: what stands in the way, for people
};

// Proves, for all sizes of launches below 2^31 work-items in each dimension, all arguments and all
// contents of buffers with which the second kernel has no finding, that
// - each work-item of the first kernel writes the same values to the same places, bit by bit;
// - it accesses only what the same work-item of the second one accesses, and has no fault of its
//   own. So the first kernel has no finding either.
// Floating-point operations must be the same ones, or be equal by IEEE 754. It is for kernels whose
// work-items do not wait for each other (effects.h), with the same launch. `offsets`: launches may
// have a global offset, which counts in their sizes; otherwise it is 0. `seconds`: of Z3
// (kStepsOfSecond).
EqualityProof prove_equal(const Target& first, const Target& second, const Pairing& pairing,
                          bool offsets, double seconds);

} // namespace gputest::testgen
