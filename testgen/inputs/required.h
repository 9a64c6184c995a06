// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the constraints on a kernel's inputs (constraints.h) into conditions of proofs.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/solve/prove.h"

namespace gputest::testgen {

// Tells the prover these conditions:
// - Groups have the size that the kernel requires.
// - If there are constraints, and has_offsets() is false, launches have no global offset.
// - Scalars are in their ranges, or have one of their values.
// - Requirements over integer scalars of up to 32 bits and sizes of the launch hold. Each part of
//   `a && b` counts alone.
// Conditions that cannot be expressed exactly (on elements, numbers of groups, large sums) are left
// out. So an outcome that is impossible under the conditions is impossible for every input.
void require(Prover& prover, const Target& target, const Constraints& constraints);

} // namespace gputest::testgen
