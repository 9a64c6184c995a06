// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells how often loops run, if that is known at compile time.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace gputest::passes {

// The numbers of iterations that an execution of a loop can have, as far as is known.
struct TripCount {
  bool zero = true, one = true, many = true; // iterations
  bool constant() const { return !zero || !one || !many; }
  // Why some numbers of iterations cannot occur: "it always runs more than once".
  const char* reason() const;
};

// `for (uint i = 0; i < 8; ++i)` has neither zero nor one, unless the body leaves it early. The
// variable starts at a constant and is compared with a constant, and nothing else changes it.
TripCount trip_count(const clang::ASTContext& context, const clang::FunctionDecl& function,
                     const clang::ForStmt& loop);

} // namespace gputest::passes
