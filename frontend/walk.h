// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Visits statements and expressions. Clang's RecursiveASTVisitor does more, but costs seconds of
// compile time for each class derived from it. Kernels need no more than this.
#pragma once

#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace gputest::frontend {

// Calls `visit` for `node` and all nodes below it, parents first. Where `visit` returns false, the
// nodes below are skipped. Initialisers of declared variables are below the declaration.
void walk(const clang::Stmt& node, llvm::function_ref<bool(const clang::Stmt&)> visit);

// Whether `matches` is true of `node` or anything below it.
bool any_of(const clang::Stmt& node, llvm::function_ref<bool(const clang::Stmt&)> matches);

} // namespace gputest::frontend
