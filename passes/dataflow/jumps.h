// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells how control enters and leaves statements other than by their beginning and end.
#pragma once

#include <clang/AST/Stmt.h>

#include <set>

namespace gputest::passes {

// Whether control can leave `statement` other than by its end (return, goto, a break or continue of
// something around it), or enter its middle (a label).
bool has_jumps(const clang::Stmt& statement);

// Whether control can leave the loop with this body other than by its condition, or enter its
// middle.
bool leaves_early(const clang::Stmt& body);

// Whether control never reaches the end of `statement`.
bool always_jumps(const clang::Stmt* statement);

// Returns the statement without the labels in front of it.
const clang::Stmt& without_labels(const clang::Stmt& statement);

// Whether a label of a switch around `body` is inside `body`, so that the switch jumps into it.
bool holds_outer_case(const clang::Stmt& body);

// Whether a goto elsewhere in `function` leads into `body`.
bool entered_by_goto(const clang::Stmt& body, const clang::Stmt& function);

// The labels of a switch with this body that control can also reach from the statement before.
std::set<const clang::SwitchCase*> fallthrough_labels(const clang::Stmt& body);

} // namespace gputest::passes
