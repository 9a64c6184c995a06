// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes mutants in reports, for people. No text is escaped, and only those that say so are
// cleaned.
#pragma once

#include "model/mutation/mutation.h"

#include <string>
#include <utility>

namespace gputest::report {

// Returns "relational_replacement, conditional_boundary_replacement".
std::string operators_text(const model::Mutant& mutant);

// Returns the original and the mutated text, cleaned, each with at most `width` code points. Longer
// texts are cut to the part around the first difference.
std::pair<std::string, std::string> change_text(const model::Mutant& mutant, std::size_t width);

// Returns "survived (3 cases reached it)", "killed in case 'small': wrong output".
std::string outcome_text(const model::MutantResult& result);

// Returns what differed, where the mutant was stopped, and under which order of work-items. Empty
// if there is nothing to add. May have several lines.
std::string details_text(const model::MutantResult& result);

} // namespace gputest::report
