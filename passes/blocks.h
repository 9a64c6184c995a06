// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of OpenCL C 2.0 in a function. What enqueues one may run it when the function has ended,
// so instrumented blocks have contexts of their own.
#pragma once

#include "frontend/parse.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <string>
#include <vector>

namespace gputest::passes {

// Returns the blocks in a statement, with those in blocks.
std::vector<const clang::BlockExpr*> blocks_in(const clang::Stmt& statement);

// Returns the functions of a source, each followed by its blocks.
std::vector<const clang::Decl*> functions_and_blocks(const frontend::Tree& tree);

// The variable of a function that blocks capture to find the state buffer.
constexpr const char* kBlockState = "gputest_block_state";

// Returns its declaration for a function with blocks, which has the pointer `gputest`; empty for
// other functions.
std::string block_state(const clang::FunctionDecl& function);

// Returns the body of the innermost block of `function` that has this place of the flat text, or
// the function's.
const clang::CompoundStmt& body_at(const frontend::Tree& tree, const clang::FunctionDecl& function,
                                   unsigned offset);

} // namespace gputest::passes
