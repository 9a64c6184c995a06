// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes mutants of the launch: alloc_swap, alloc_increment, alloc_decrement (MutGPU, ICST 2020,
// Table I). The paper's threads are work-items, and its blocks are groups.
#pragma once

#include "frontend/parse.h"
#include "model/mutation/mutants.h"

namespace gputest::passes::mutation {

// Returns the launch mutants of each kernel, in each dimension that its file asks about.
std::vector<model::Mutant> launch_mutants(const frontend::Tree& tree);

// Whether a kernel cannot tell how its work-items form groups: it uses only global ids and sizes,
// and has no barriers, no local memory and no groups that are not full. Such a kernel does the same
// with local size and number of groups exchanged, because global sizes do not change.
bool knows_no_groups(const frontend::Tree& tree, const clang::FunctionDecl& kernel);

} // namespace gputest::passes::mutation
