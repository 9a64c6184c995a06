// What is said of a kernel's inputs (constraints.h), as conditions of proofs.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/solve/prove.h"

namespace gputest::testgen {

// Groups have the size that the kernel requires. If there is anything else, launches begin at 0, as
// generated ones do. Ranges and values of whole and real scalars, and requirements over whole
// scalars of up to 32 bits and sizes of the launch. Of `a
// && b` each part stands for itself. What cannot be said exactly (elements, numbers of groups, sums
// that are too large) is left out, so that what is impossible under the conditions is impossible
// for every input.
void require(Prover& prover, const Target& target, const Constraints& constraints);

} // namespace gputest::testgen
