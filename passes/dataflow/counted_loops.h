// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loops whose number of iterations (0, 1 or more) can be computed before they run.
#pragma once

#include "frontend/parse.h"

#include <clang/AST/Stmt.h>

#include <optional>
#include <string>

namespace gputest::passes {

// for (i = a; i < n; i += c): a `for` that steps a variable of its function and compares it with
// something that the loop does not change. Nothing else in the loop changes the variable, and only
// the condition ends the loop.
struct CountedLoop {
  unsigned place;     // in the flat text: the end of its initialisation
  std::string before; // text that makes an expression at `place` part of the initialisation: ",
                      // name = "
  // Its condition, with the initial value and with the value after it. Neither has side effects.
  std::string first, second;
};

// Returns nullopt if `loop` is not recognised as such a loop. `name` must not be in use.
std::optional<CountedLoop> counted_loop(const frontend::Tree& tree,
                                        const clang::FunctionDecl& function,
                                        const clang::ForStmt& loop, const std::string& name);

} // namespace gputest::passes
