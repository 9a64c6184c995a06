// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutation operators, with the names that runs, reports and documentation use.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::model {

enum class OperatorGroup {
  Conventional, // faults of any imperative language
  Gpu // faults of what only kernels have: memory spaces, barriers, NDRanges, images, vectors
};

struct MutationOperator {
  std::string_view name;
  OperatorGroup group;
  std::string_view summary; // one line for the terminal
};

// Returns all operators, in the order in which tables show them.
std::span<const MutationOperator> mutation_operators();

const MutationOperator* find_operator(std::string_view name);

// Returns the names of the operators in a selection such as {"gpu", "arithmetic_replacement"}:
// names and the words "conventional", "gpu" and "all". An empty selection selects all. Throws
// std::invalid_argument, which names a word that is none of these, and the nearest operator.
std::vector<std::string> select_operators(std::span<const std::string> selection);

} // namespace gputest::model
