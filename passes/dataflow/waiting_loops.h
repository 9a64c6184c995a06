// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loops that may wait for another work-item, because their exit depends on memory that others
// write.
#pragma once

#include "frontend/parse.h"

#include <vector>

namespace gputest::passes {

struct WaitingLoop {
  const clang::Stmt* statement = nullptr; // for, while, do, or goto that leads backwards
  const clang::Expr* condition = nullptr; // null: a for without one, or a goto
  bool around_barrier = false;
};

// Returns the loops of `function` that may wait, in order of position. A loop that counts is not
// listed: one of its exits compares a local variable that the loop steps (i++, i += 2, i >>= 1).
// Nor is a loop whose exits depend only on local variables, if the loop assigns them nothing that
// it reads through a pointer.
std::vector<WaitingLoop> waiting_loops(const frontend::Tree& tree,
                                       const clang::FunctionDecl& function);

} // namespace gputest::passes
