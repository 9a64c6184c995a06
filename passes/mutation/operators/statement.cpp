// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// statement_deletion: an expression statement, return, break or continue is left out. Imitates a
// forgotten store, bounds check or update.
#include "passes/mutation/operators/operators.h"

#include "passes/dataflow/barriers.h"

namespace gputest::passes::mutation {
void propose_statement(const Candidate& place, Proposals& out) {
  if (!place.in_block)
    return;
  if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(&place.node)) {
    if (result->getRetValue())
      return; // a function must return something
  } else if (const auto* expression = llvm::dyn_cast<clang::Expr>(&place.node)) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParens());
        call && (is_barrier(*call) || builtin_name(*call) == "sub_group_barrier"))
      return; // sync_removal's
    if (reaches_barrier(*expression))
      return out.not_mutated("statement_deletion", place.node, "it contains a barrier");
  } else if (!llvm::isa<clang::BreakStmt, clang::ContinueStmt>(place.node)) {
    return;
  }
  const unsigned begin = out.begin(place.node), end = out.tree().end_of_statement(place.node);
  out.add({.operator_name = "statement_deletion",
           .manner = Manner::Deletion,
           .node = &place.node,
           .begin = begin,
           .end = end,
           .replacement = ";",
           .patch = {{begin, end, {{";", nullptr, false}}}}});
}

} // namespace gputest::passes::mutation
