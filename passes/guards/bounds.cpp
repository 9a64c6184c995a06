// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/guards/bounds.h"

#include "frontend/walk.h"
#include "passes/dataflow/variables.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <fmt/format.h>

namespace gputest::passes {

Pointers::Root Pointers::join(Root a, Root b) {
  if (a.many || b.many)
    return {nullptr, true};
  if (!a.variable)
    return b;
  if (!b.variable || a.variable == b.variable)
    return a;
  return {nullptr, true};
}

Pointers::Pointers(const frontend::Tree& tree) : tree_(tree) {
  struct Assignment {
    const clang::VarDecl* variable;
    const clang::Expr* value;
  };
  std::vector<Assignment> assignments;
  for (const clang::FunctionDecl* function : tree.functions()) {
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      ++names_[parameter->getNameAsString()];
      if (parameter->getType()->isPointerType())
        roots_[parameter] = {parameter, false};
    }
    Scope whole{tree.begin(function->getSourceRange()), tree.end(function->getSourceRange())};
    std::vector<Scope> scopes{whole};
    frontend::walk(*function->getBody(), [&](const clang::Stmt& node) {
      while (scopes.size() > 1 && tree.begin(node.getSourceRange()) >= scopes.back().end)
        scopes.pop_back();
      if (llvm::isa<clang::CompoundStmt, clang::ForStmt>(node))
        scopes.push_back({tree.begin(node.getSourceRange()), tree.end(node.getSourceRange())});
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node))
        for (const clang::Decl* declared : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared)) {
            ++names_[variable->getNameAsString()];
            scopes_[variable] = scopes.back();
            if (variable->getType()->isPointerType() && variable->getInit())
              assignments.push_back({variable, variable->getInit()});
          }
      if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
          binary && binary->getOpcode() == clang::BO_Assign &&
          binary->getLHS()->getType()->isPointerType())
        if (const clang::VarDecl* variable = variable_of(*binary->getLHS()))
          assignments.push_back({variable, binary->getRHS()});
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
          unary && unary->getOpcode() == clang::UO_AddrOf)
        if (const clang::VarDecl* variable = variable_of(*unary->getSubExpr());
            variable && variable->getType()->isPointerType())
          roots_[variable] = {nullptr, true};
      return true;
    });
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Assignment& assignment : assignments) {
      Root& root = roots_[assignment.variable];
      const Root joined = join(root, root_of(*assignment.value));
      changed |= joined.variable != root.variable || joined.many != root.many;
      root = joined;
    }
  }
}

Bounds Pointers::parameter(unsigned index) {
  return {fmt::format("gputest_low_{}", index), fmt::format("gputest_size_{}", index)};
}

Pointers::Root Pointers::root_of(const clang::Expr& pointer) const {
  const clang::Expr* node = pointer.IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(node)) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      return object_of(*cast->getSubExpr());
    if (cast->getSubExpr()->getType()->isPointerType() ||
        cast->getSubExpr()->getType()->isArrayType())
      return root_of(*cast->getSubExpr());
    return {nullptr, true}; // an integer
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(node)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable->getType()->isArrayType())
      return {variable, false};
    const auto found = variable ? roots_.find(variable) : roots_.end();
    if (found != roots_.end())
      return found->second;
    return {nullptr, variable == nullptr || !variable->isLocalVarDecl()};
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(node)) {
    if (binary->isCommaOp())
      return root_of(*binary->getRHS());
    const bool left = binary->getLHS()->getType()->isPointerType();
    return root_of(left ? *binary->getLHS() : *binary->getRHS());
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node)) {
    if (unary->getOpcode() == clang::UO_AddrOf)
      return object_of(*unary->getSubExpr());
    if (unary->isIncrementDecrementOp())
      return root_of(*unary->getSubExpr());
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(node))
    return join(root_of(*choice->getTrueExpr()), root_of(*choice->getFalseExpr()));
  return {nullptr, true};
}

Pointers::Root Pointers::object_of(const clang::Expr& lvalue) const {
  const clang::Expr* node = lvalue.IgnoreParens();
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(node))
    return element->getBase()->getType()->isPointerType() ? root_of(*element->getBase())
                                                          : object_of(*element->getBase());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(node))
    return member->isArrow() ? root_of(*member->getBase()) : object_of(*member->getBase());
  if (const auto* component = llvm::dyn_cast<clang::ExtVectorElementExpr>(node))
    return component->isArrow() ? root_of(*component->getBase()) : object_of(*component->getBase());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node);
      unary && unary->getOpcode() == clang::UO_Deref)
    return root_of(*unary->getSubExpr());
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(node))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      return {variable, false};
  return {nullptr, true};
}

bool Pointers::in_scope(const clang::VarDecl& variable, unsigned offset) const {
  const auto count = names_.find(variable.getNameAsString());
  if (!variable.isLocalVarDecl()) // of the file; no local variable may hide it
    return count == names_.end();
  const auto scope = scopes_.find(&variable);
  if (scope == scopes_.end() || offset < scope->second.begin || offset >= scope->second.end)
    return false;
  return count->second == 1;
}

std::optional<Bounds> Pointers::bounds(const clang::Expr& pointer) const {
  const Root root = root_of(pointer);
  if (root.many || !root.variable)
    return std::nullopt;
  if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(root.variable);
      parameter && parameter->getType()->isPointerType())
    return Pointers::parameter(parameter->getFunctionScopeIndex());
  const unsigned offset = tree_.begin(pointer.getSourceRange());
  const std::string name = root.variable->getNameAsString();
  if (!llvm::isa<clang::ParmVarDecl>(root.variable) && !in_scope(*root.variable, offset))
    return std::nullopt;
  const bool array = root.variable->getType()->isArrayType();
  return Bounds{fmt::format("(ulong){}{}", array ? "" : "&", name),
                fmt::format("sizeof({})", name)};
}

} // namespace gputest::passes
