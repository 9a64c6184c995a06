// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the change of a constant, an index or a sign shows: in the value of the expression around
// it. 3 and 4 always differ, but i * 3 < n and i * 4 < n do not.
#pragma once

#include "passes/mutation/operators/proposal.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>
#include <utility>
#include <vector>

namespace gputest::passes::mutation {

// Mutants with their numbers.
using NumberedMutants = std::vector<std::pair<const Proposal*, unsigned>>;
using MutantsOfNodes = std::map<const clang::Stmt*, NumberedMutants>;

// Whether an evaluation may fault, or is not worth to be looked at.
bool may_fault(const clang::Expr& expression);

// Returns mutants of nodes that are no binary operators, by the largest expression around the node
// that has the mutant's change and can be computed a second time: a scalar, without effects, and
// without an access, a division or a call that the original does not make. Mutants are left out if
// that expression differs in any case.
MutantsOfNodes outer_values(const clang::FunctionDecl& function, const MutantsOfNodes& mutants,
                            bool is_cpp);

} // namespace gputest::passes::mutation
