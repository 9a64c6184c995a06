// Which mutants are in a sample, or in a shard: the same on every machine.
#pragma once

#include "model/mutation/mutants.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::model {

// Random bits for the mutant, by its id alone.
std::uint64_t draw_number(const Mutant& mutant, std::uint64_t seed);

// `count` of `mutants`, drawn by `seed`, in their order. A larger sample has all of a smaller one.
std::vector<const Mutant*> draw(std::vector<const Mutant*> mutants, std::size_t count,
                                unsigned seed);

} // namespace gputest::model
