// How often loops run, where that is known before the program does.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace gputest::passes {

// What an execution of a loop can do, as far as it is known.
struct TripCount {
  bool zero = true, one = true, many = true; // iterations
  bool constant() const { return !zero || !one || !many; }
  // Why some cannot be: "it always runs more than once".
  const char* reason() const;
};

// Of `for (uint i = 0; i < 8; ++i)` neither zero nor one, unless the body leaves it early. The
// variable begins with a constant and is compared with one, and nothing else changes it.
TripCount trip_count(const clang::ASTContext& context, const clang::FunctionDecl& function,
                     const clang::ForStmt& loop);

} // namespace gputest::passes
