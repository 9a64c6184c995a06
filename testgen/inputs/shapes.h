// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of launches, and scalars that are such sizes, that kernels are likely to get wrong.
#pragma once

#include "testgen/inputs/constraints.h"

#include <vector>

namespace gputest::testgen {

// Returns launches from small to large, in the dimensions that the kernel uses; several groups come
// early. Local sizes and numbers of groups differ between dimensions. Sizes are primes, the
// kernel's constants and their neighbours (a tile's size is often a constant), and numbers in
// requirements.
std::vector<Shape> shapes_of(const Target& target, const Constraints& constraints);

// Returns the numbers in requirements.
std::vector<std::int64_t> required_numbers(const Constraints& constraints);

// Returns values for a scalar that is a size in this dimension but does not fit the launch: 0, 1
// and primes. It adds the neighbours of the launch's size, of multiples of its local size and of
// the kernel's constants. Each occurs once; the likeliest is first.
std::vector<std::int64_t> ragged_sizes(const Target& target, const Shape& shape,
                                       unsigned dimension);

} // namespace gputest::testgen
