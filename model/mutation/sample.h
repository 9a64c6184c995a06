// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the mutants of a sample or a shard, the same on every machine.
#pragma once

#include "model/mutation/mutants.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::model {

// Returns random bits for the mutant. They depend on its id and the seed alone.
std::uint64_t draw_number(const Mutant& mutant, std::uint64_t seed);

// Returns `count` of `mutants`, drawn by `seed`, in their order. A larger sample contains a smaller
// one.
std::vector<const Mutant*> draw(std::vector<const Mutant*> mutants, std::size_t count,
                                unsigned seed);

} // namespace gputest::model
