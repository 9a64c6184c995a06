// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/blocks.h"

#include "frontend/walk.h"

#include <fmt/format.h>

namespace gputest::passes {

std::vector<const clang::BlockExpr*> blocks_in(const clang::Stmt& statement) {
  std::vector<const clang::BlockExpr*> blocks;
  frontend::walk(statement, [&](const clang::Stmt& node) {
    if (const auto* block = llvm::dyn_cast<clang::BlockExpr>(&node)) {
      blocks.push_back(block);
      for (const clang::BlockExpr* inner : blocks_in(*block->getBody()))
        blocks.push_back(inner);
    }
    return true;
  });
  return blocks;
}

std::vector<const clang::Decl*> functions_and_blocks(const frontend::Tree& tree) {
  std::vector<const clang::Decl*> all;
  for (const clang::FunctionDecl* function : tree.functions()) {
    all.push_back(function);
    for (const clang::BlockExpr* block : blocks_in(*function->getBody()))
      all.push_back(block->getBlockDecl());
  }
  return all;
}

std::string block_state(const clang::FunctionDecl& function) {
  return blocks_in(*function.getBody()).empty()
             ? ""
             : fmt::format(" __global uint* const {} = gputest->state;", kBlockState);
}

const clang::CompoundStmt& body_at(const frontend::Tree& tree, const clang::FunctionDecl& function,
                                   unsigned offset) {
  const auto* body = llvm::cast<clang::CompoundStmt>(function.getBody());
  for (const clang::BlockExpr* block : blocks_in(*body)) { // inner ones come later
    const clang::SourceRange range = block->getBody()->getSourceRange();
    if (tree.begin(range) <= offset && offset < tree.end(range))
      body = llvm::cast<clang::CompoundStmt>(block->getBody());
  }
  return *body;
}

} // namespace gputest::passes
