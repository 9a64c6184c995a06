// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects what the operators propose.
#pragma once

#include "frontend/stable_ids.h"
#include "model/mutation/mutants.h"
#include "passes/mutation/operators/proposal.h"

#include <set>
#include <string>
#include <vector>

namespace gputest::passes::mutation {

// Asks every operator about every node of a function. CUDA: a function as it is compiled, such as
// an instance of a template.
void propose_in(const clang::FunctionDecl& function, Proposals& out);

// Asks every operator about every node of these functions of `tree`.
Proposals find_proposals(const frontend::Tree& tree,
                         const std::set<const clang::FunctionDecl*>& functions);

// Returns the list entry of a proposal's mutant: its place, texts and id. `function`: the function
// that has it; empty: outside of functions.
model::Mutant listed(const frontend::Tree& tree, const Proposal& proposal,
                     std::vector<std::string> operators, std::string function,
                     frontend::StableIds& ids);

} // namespace gputest::passes::mutation
