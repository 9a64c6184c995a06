// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/weak_oracle.h"

#include "program/oracle.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <vector>

namespace gputest::driver {

void print_weak(std::span<const model::Mutation> mutations) {
  constexpr std::size_t kListed = 100;
  std::vector<const model::Mutant*> weak;
  for (const model::Mutation& mutation : mutations)
    for (const model::MutantResult& result : mutation.results)
      if (program::is_weak(result))
        weak.push_back(&result.mutant);
  if (weak.empty())
    return;
  std::cout << "\nWeak oracle: the program reads back other results and does not notice:\n";
  for (std::size_t i = 0; i < std::min(weak.size(), kListed); ++i)
    std::cout << fmt::format(
        "{}:{}:{}: {} (mutant {})\n", weak[i]->file, weak[i]->line, weak[i]->column,
        weak[i]->operators.empty() ? "" : weak[i]->operators.front(), weak[i]->id);
  if (weak.size() > kListed)
    std::cout << fmt::format("and {} more, whose detail in mutation.json begins with '{}'\n",
                             weak.size() - kListed, program::kWeakOracle);
  std::cout << std::flush;
}

} // namespace gputest::driver
