// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/walk.h"

namespace gputest::frontend {

void walk(const clang::Stmt& node, llvm::function_ref<bool(const clang::Stmt&)> visit) {
  if (!visit(node))
    return;
  for (const clang::Stmt* child : node.children())
    if (child)
      walk(*child, visit);
}

bool any_of(const clang::Stmt& node, llvm::function_ref<bool(const clang::Stmt&)> matches) {
  if (matches(node))
    return true;
  for (const clang::Stmt* child : node.children())
    if (child && any_of(*child, matches))
      return true;
  return false;
}

} // namespace gputest::frontend
