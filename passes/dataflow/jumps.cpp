// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/jumps.h"

#include "frontend/walk.h"

namespace gputest::passes {
namespace {

// The statements around a statement, up to the one in question.
struct Around {
  bool breakable = false, loop = false, switches = false;
};

bool has_jumps(const clang::Stmt& statement, Around around) {
  if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt>(
          statement))
    return true;
  if (llvm::isa<clang::BreakStmt>(statement))
    return !around.breakable;
  if (llvm::isa<clang::ContinueStmt>(statement))
    return !around.loop;
  if (llvm::isa<clang::SwitchCase>(statement) && !around.switches)
    return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(statement))
    around.breakable = around.loop = true;
  if (llvm::isa<clang::SwitchStmt>(statement))
    around.breakable = around.switches = true;
  for (const clang::Stmt* child : statement.children())
    if (child && has_jumps(*child, around))
      return true;
  return false;
}

// Labels below `statement` that belong to a switch around it.
void outer_cases(const clang::Stmt& statement, std::set<const clang::SwitchCase*>& labels) {
  frontend::walk(statement, [&](const clang::Stmt& node) {
    if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(&node))
      labels.insert(label);
    return !llvm::isa<clang::SwitchStmt>(node);
  });
}

} // namespace

bool has_jumps(const clang::Stmt& statement) {
  return has_jumps(statement, {});
}

bool leaves_early(const clang::Stmt& body) {
  return has_jumps(body, {.breakable = false, .loop = true, .switches = false});
}

bool always_jumps(const clang::Stmt* statement) {
  if (!statement)
    return false;
  if (llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(
          statement))
    return true;
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return !compound->body_empty() && always_jumps(compound->body_back());
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(statement))
    return always_jumps(choice->getThen()) && always_jumps(choice->getElse());
  const clang::Stmt& inner = without_labels(*statement);
  return &inner != statement && always_jumps(&inner);
}

const clang::Stmt& without_labels(const clang::Stmt& statement) {
  const clang::Stmt* inner = &statement;
  while (true)
    if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(inner))
      inner = label->getSubStmt();
    else if (const auto* choice = llvm::dyn_cast<clang::SwitchCase>(inner))
      inner = choice->getSubStmt();
    else
      return *inner;
}

bool holds_outer_case(const clang::Stmt& body) {
  std::set<const clang::SwitchCase*> labels;
  outer_cases(body, labels);
  return !labels.empty();
}

bool entered_by_goto(const clang::Stmt& body, const clang::Stmt& function) {
  std::set<const clang::LabelDecl*> labels;
  frontend::walk(body, [&](const clang::Stmt& node) {
    if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(&node))
      labels.insert(label->getDecl());
    return true;
  });
  if (labels.empty())
    return false;
  bool found = false;
  frontend::walk(function, [&](const clang::Stmt& node) {
    if (const auto* jump = llvm::dyn_cast<clang::GotoStmt>(&node))
      found |= labels.contains(jump->getLabel());
    return &node != &body;
  });
  return found;
}

std::set<const clang::SwitchCase*> fallthrough_labels(const clang::Stmt& body) {
  std::set<const clang::SwitchCase*> labels;
  const auto add_chain = [&](const clang::Stmt& first, bool falls) {
    for (const auto* label = llvm::dyn_cast<clang::SwitchCase>(&first); label;
         label = llvm::dyn_cast<clang::SwitchCase>(label->getSubStmt())) {
      if (falls)
        labels.insert(label);
      falls = true; // from `case 1:` into `case 2:` of `case 1: case 2:`
    }
    // For labels inside other statements (Duff's device), assumes that control falls into them.
    outer_cases(without_labels(first), labels);
  };
  const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(&body);
  if (!compound) {
    add_chain(body, false);
    return labels;
  }
  const clang::Stmt* previous = nullptr;
  for (const clang::Stmt* child : compound->body()) {
    add_chain(*child, previous && !always_jumps(previous));
    previous = child;
  }
  return labels;
}

} // namespace gputest::passes
