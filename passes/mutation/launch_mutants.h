// Mutants of the launch: alloc_swap, alloc_increment, alloc_decrement (MutGPU, ICST 2020, Table I).
// Threads of a block are the work-items of a group, blocks the groups.
#pragma once

#include "frontend/parse.h"
#include "model/mutation/mutants.h"

namespace gputest::passes::mutation {

// The launch mutants of each kernel, in each dimension that its file asks about.
std::vector<model::Mutant> launch_mutants(const Tree& tree);

// Whether a kernel cannot tell how its work-items form groups: it asks for no more than their
// global ids and sizes, and has no barriers, no local memory and no groups that are not full. With
// local size and number of groups exchanged it does the same, because global sizes stay what they
// are.
bool knows_no_groups(const Tree& tree, const clang::FunctionDecl& kernel);

} // namespace gputest::passes::mutation
