// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mutation/sample.h"

#include "model/stable_hash.h"

#include <algorithm>
#include <utility>

namespace gputest::model {

std::uint64_t draw_number(const Mutant& mutant, std::uint64_t seed) {
  return mixed(seed_for(seed, mutant.id, "mutant"));
}

std::vector<const Mutant*> draw(std::vector<const Mutant*> mutants, std::size_t count,
                                unsigned seed) {
  if (count >= mutants.size())
    return mutants;
  std::vector<std::pair<std::uint64_t, std::size_t>> numbers;
  for (std::size_t i = 0; i < mutants.size(); ++i)
    numbers.emplace_back(draw_number(*mutants[i], seed), i);
  std::ranges::nth_element(numbers, numbers.begin() + static_cast<std::ptrdiff_t>(count));
  numbers.resize(count);
  std::ranges::sort(numbers, {}, [](const auto& entry) { return entry.second; });
  std::vector<const Mutant*> drawn;
  for (const auto& [number, index] : numbers)
    drawn.push_back(mutants[index]);
  return drawn;
}

} // namespace gputest::model
