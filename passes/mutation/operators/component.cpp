// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// component_replacement: another component of a vector, as where .y was copied from a line about
// .x.
#include "passes/mutation/operators/operators.h"

namespace gputest::passes::mutation {

void propose_component(const Candidate& place, Proposals& out) {
  const auto* node = llvm::dyn_cast<clang::ExtVectorElementExpr>(&place.node);
  if (!node || node->getNumElements() != 1)
    return;
  // If this is the target of an assignment, the mutant changes the assignment. An address has no
  // such mutant.
  const clang::Stmt* changed = node;
  if (place.assigned) {
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(place.assigned);
    if (unary && unary->getOpcode() == clang::UO_AddrOf)
      return;
    changed = place.assigned;
  }
  const auto* vector = node->getBase()->getType()->getAs<clang::ExtVectorType>();
  if (!vector) // v->x
    vector = node->getBase()->getType()->getPointeeType()->getAs<clang::ExtVectorType>();
  const llvm::StringRef accessor = node->getAccessor().getName();
  if (!vector)
    return;
  llvm::SmallVector<std::uint32_t, 4> own;
  node->getEncodedElementAccess(own);
  const unsigned count = vector->getNumElements();
  const unsigned other = (own.front() + 1) % count; // the next one, the last wraps around
  std::string text;
  if (count <= 4 && accessor.size() == 1)
    text = std::string(1, "xyzw"[other]);
  else if (accessor.starts_with_insensitive("s"))
    text = std::string("s") + "0123456789abcdef"[other];
  else
    return out.not_mutated("component_replacement", *node, "halves of a vector are not exchanged");
  out.swap_token("component_replacement", *changed, node->getAccessorLoc(), text);
}

} // namespace gputest::passes::mutation
