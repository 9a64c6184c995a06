// Loops of which it is known, before they run, whether they run once or more than once.
#pragma once

#include "frontend/parse.h"

#include <clang/AST/Stmt.h>

#include <optional>
#include <string>

namespace gputest::passes {

// A `for` that steps a variable of its function, which nothing else in the loop changes, and that
// is left by nothing but its condition, which compares the variable with what the loop does not
// change: for (i = a; i < n; i += c).
struct CountedLoop {
  unsigned place;     // in the flat text: where its initialisation ends
  std::string before; // what makes an expression there part of the initialisation: ", name = "
  // Its condition, with the initial value and with the one after it. Neither has effects.
  std::string first, second;
};

// nullopt: none, or none that is recognised. `name` is free.
std::optional<CountedLoop> counted_loop(const Tree& tree, const clang::FunctionDecl& function,
                                        const clang::ForStmt& loop, const std::string& name);

} // namespace gputest::passes
