// Loops that may wait for another work-item: whose exit depends on memory that others write.
#pragma once

#include "frontend/parse.h"

#include <vector>

namespace gputest::passes {

struct WaitingLoop {
  const clang::Stmt* statement = nullptr; // for, while, do, or goto that leads backwards
  const clang::Expr* condition = nullptr; // null: a for without one, or a goto
  bool around_barrier = false;
};

// Not listed are loops that count: something that leaves them compares a local variable which the
// loop steps (i++, i += 2, i >>= 1). Nor those whose exits depend on local variables alone, into
// which the loop puts nothing read through a pointer. In order of position.
std::vector<WaitingLoop> waiting_loops(const Tree& tree, const clang::FunctionDecl& function);

} // namespace gputest::passes
