// Mutants of the launch: alloc_swap, alloc_increment, alloc_decrement (MutGPU, ICST 2020, Table I).
// Threads of a block are the work-items of a group, blocks the groups.
#pragma once

#include "frontend/parse.h"
#include "model/mutants.h"

namespace gputest::passes::mutation {

// The launch mutants of each kernel, in each dimension that its file asks about.
std::vector<model::Mutant> launch_mutants(const Tree& tree);

} // namespace gputest::passes::mutation
