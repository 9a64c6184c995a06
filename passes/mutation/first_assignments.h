// Mutants that may leave a variable without a value. They leave out or weaken an assignment to a
// private variable whose declaration gives it none.
#pragma once

#include "passes/mutation/proposals.h"

namespace gputest::passes::mutation {

bool weakens_assignment(const Proposal& proposal);

} // namespace gputest::passes::mutation
