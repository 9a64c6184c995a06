// Finds mutants that may leave a variable without a value: they delete or weaken an assignment to a
// private variable that its declaration does not initialise.
#pragma once

#include "passes/mutation/proposals.h"

namespace gputest::passes::mutation {

bool weakens_assignment(const Proposal& proposal);

} // namespace gputest::passes::mutation
