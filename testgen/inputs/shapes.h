// Sizes of launches, and of what follows them, that kernels are likely to get wrong.
#pragma once

#include "testgen/inputs/constraints.h"

#include <vector>

namespace gputest::testgen {

// Launches from small to large, in the dimensions that the kernel asks about, more than one group
// among the first: several local sizes with several numbers of groups, unequal in each dimension;
// primes; the kernel's constants and their neighbours, because tiles are among these; numbers that
// the requirements name.
std::vector<Shape> shapes_of(const Target& target, const Constraints& constraints);

// What a scalar may be that is a size in this dimension and does not fit the launch: 0, 1, primes,
// one less and one more than the launch, than multiples of its local size, and than the kernel's
// constants. Each once; the likeliest first.
std::vector<std::int64_t> ragged_sizes(const Target& target, const Shape& shape,
                                       unsigned dimension);

} // namespace gputest::testgen
