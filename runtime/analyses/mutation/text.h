// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of --mutation for the terminal.
#pragma once

#include "model/mutation/mutation.h"

#include <string>

namespace gputest::runtime {

// Returns the score, the number of mutants of each verdict, a line for each operator, and the
// survivors: "file:line:col: operator: 'a < b' → 'a <= b' survived (3 cases reached it)". Shows at
// most kShownSurvivors of these.
constexpr std::size_t kShownSurvivors = 100;
std::string mutation_text(const model::Mutation& mutation);

// Returns "a.cl:3:7: relational_replacement: 'a < b' → 'a <= b'".
std::string mutant_text(const model::Mutant& mutant);

// Returns, for --verbose, the mutant, its verdict and the reason.
std::string verdict_text(const model::MutantResult& result);

} // namespace gputest::runtime
