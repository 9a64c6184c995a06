// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/waiting_loops.h"

#include "frontend/walk.h"
#include "passes/dataflow/barriers.h"
#include "passes/dataflow/variables.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace gputest::passes {
namespace {

const clang::VarDecl* local_variable(const clang::Expr& expression) {
  const clang::VarDecl* variable = variable_of(expression);
  return variable && is_private(*variable) ? variable : nullptr;
}

void add_variables(const clang::Stmt& node, Variables& variables) {
  frontend::walk(node, [&](const clang::Stmt& below) {
    if (const auto* expression = llvm::dyn_cast<clang::DeclRefExpr>(&below))
      if (const clang::VarDecl* variable = local_variable(*expression))
        variables.insert(variable);
    return true;
  });
}

// Whether the value of `node` may come from memory that other work-items write.
bool reads_memory(const clang::Stmt& node) {
  return frontend::any_of(node, [](const clang::Stmt& below) {
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&below))
      return element->getType().getAddressSpace() != clang::LangAS::opencl_constant;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&below))
      return unary->getOpcode() == clang::UO_Deref;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&below))
      return member->isArrow();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&below))
      return std::ranges::any_of(call->arguments(), [](const clang::Expr* argument) {
        return argument->getType()->isPointerType() || argument->getType()->isImageType();
      });
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&below)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      return variable && !reference->getType()->isPointerType() &&
             variable->getType().getAddressSpace() == clang::LangAS::opencl_local;
    }
    return false;
  });
}

// The conditions that leave the loop: its own, and those of the ifs around a break, return or goto
// in it.
std::vector<const clang::Expr*> exits_of(const clang::Stmt& body, const clang::Expr* condition) {
  std::vector<const clang::Expr*> exits;
  if (condition)
    exits.push_back(condition);
  frontend::walk(body, [&](const clang::Stmt& node) {
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node);
    if (choice && frontend::any_of(node, [](const clang::Stmt& below) {
          return llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::GotoStmt>(below);
        }))
      exits.push_back(choice->getCond());
    return true;
  });
  return exits;
}

bool is_loop(const clang::Stmt& node) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(node);
}

// Whether an exit compares a variable that the loop steps.
bool counts(const clang::Stmt& loop, const std::vector<const clang::Expr*>& exits) {
  Variables compared;
  for (const clang::Expr* exit : exits)
    frontend::walk(*exit, [&](const clang::Stmt& node) {
      const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
      if (binary && binary->isComparisonOp())
        for (const clang::Expr* side : {binary->getLHS(), binary->getRHS()})
          add_variables(*side, compared);
      else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
               unary && unary->isIncrementDecrementOp())
        add_variables(node, compared); // while (n--)
      return true;
    });
  return frontend::any_of(loop, [&](const clang::Stmt& node) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node)) {
      const clang::VarDecl* variable = local_variable(*unary->getSubExpr());
      return unary->isIncrementDecrementOp() && variable && compared.contains(variable);
    }
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
    if (!binary || !binary->isAssignmentOp() || reads_memory(*binary->getRHS()))
      return false;
    const clang::VarDecl* variable = local_variable(*binary->getLHS());
    if (!variable || !compared.contains(variable))
      return false;
    Variables used;
    add_variables(*binary->getRHS(), used);
    return binary->isCompoundAssignmentOp() || used.contains(variable); // i += 2, i = i + 2
  });
}

// Whether an exit depends on memory, directly or through variables that the loop assigns.
bool depends_on_memory(const clang::Stmt& loop, const std::vector<const clang::Expr*>& exits) {
  Variables relevant;
  for (const clang::Expr* exit : exits) {
    if (reads_memory(*exit))
      return true;
    add_variables(*exit, relevant);
  }
  for (bool grows = true; grows;) {
    const std::size_t before = relevant.size();
    bool memory = false;
    const auto take = [&](const clang::VarDecl* variable, const clang::Expr* value) {
      if (!variable || !value || !relevant.contains(variable))
        return;
      memory = memory || reads_memory(*value);
      add_variables(*value, relevant);
    };
    frontend::walk(loop, [&](const clang::Stmt& node) {
      if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
          binary && binary->isAssignmentOp())
        take(local_variable(*binary->getLHS()), binary->getRHS());
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node))
        for (const clang::Decl* declared : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared))
            take(variable, variable->getInit());
      // A variable whose address is passed may have any value.
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
          unary && unary->getOpcode() == clang::UO_AddrOf)
        if (const clang::VarDecl* variable = local_variable(*unary->getSubExpr()))
          memory = memory || relevant.contains(variable);
      return true;
    });
    if (memory)
      return true;
    grows = relevant.size() > before;
  }
  return false;
}

} // namespace

std::vector<WaitingLoop> waiting_loops(const frontend::Tree& tree,
                                       const clang::FunctionDecl& function) {
  std::vector<WaitingLoop> result;
  frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
    if (const auto* jump = llvm::dyn_cast<clang::GotoStmt>(&node)) {
      const bool backwards =
          tree.offset(jump->getLabel()->getLocation()) < tree.offset(jump->getGotoLoc());
      if (backwards) // its exits are not examined
        result.push_back({&node, nullptr, reaches_meeting(*function.getBody())});
      return true;
    }
    if (!is_loop(node))
      return true;
    const clang::Expr* condition = nullptr;
    const clang::Stmt* body = nullptr;
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&node)) {
      condition = loop->getCond();
      body = loop->getBody();
    } else if (const auto* while_loop = llvm::dyn_cast<clang::WhileStmt>(&node)) {
      condition = while_loop->getCond();
      body = while_loop->getBody();
    } else {
      condition = llvm::cast<clang::DoStmt>(node).getCond();
      body = llvm::cast<clang::DoStmt>(node).getBody();
    }
    const std::vector<const clang::Expr*> exits = exits_of(*body, condition);
    if (!counts(node, exits) && depends_on_memory(node, exits))
      result.push_back({&node, condition, reaches_meeting(*body)});
    return true;
  });
  return result;
}

} // namespace gputest::passes
