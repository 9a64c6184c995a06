// What --mutation says on the terminal.
#pragma once

#include "model/mutation/mutation.h"

#include <string>

namespace gputest::runtime {

// The score, how many mutants of each verdict there are, a line for each operator, and the
// survivors: "file:line:col: operator: 'a < b' → 'a <= b' survived (3 cases reached it)". At most
// kShownSurvivors of these.
constexpr std::size_t kShownSurvivors = 100;
std::string mutation_text(const model::Mutation& mutation);

// "a.cl:3:7: relational_replacement: 'a < b' → 'a <= b'".
std::string mutant_text(const model::Mutant& mutant);

// For --verbose: the mutant, its verdict and why.
std::string verdict_text(const model::MutantResult& result);

} // namespace gputest::runtime
