// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/constant_expressions.h"

#include "frontend/walk.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>

namespace gputest::passes::mutation {
namespace {

class Collector {
public:
  std::set<const clang::VarDecl*> variables;

  void statement(const clang::Stmt& node) {
    if (const auto* label = llvm::dyn_cast<clang::CaseStmt>(&node)) {
      constant(label->getLHS());
      constant(label->getRHS());
    } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(&node)) {
      for (const clang::Attr* attribute : attributed->getAttrs())
        if (const auto* hint = llvm::dyn_cast<clang::LoopHintAttr>(attribute))
          constant(hint->getValue());
    } else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node)) {
      for (const clang::Decl* declared : declaration->decls())
        this->declaration(*declared);
    } else if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&node)) {
      type(cast->getTypeInfoAsWritten());
    } else if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(&node)) {
      type(literal->getTypeSourceInfo());
    }
  }

private:
  void declaration(const clang::Decl& declared) {
    if (const auto* named = llvm::dyn_cast<clang::DeclaratorDecl>(&declared))
      type(named->getTypeSourceInfo());
    else if (const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(&declared))
      type(alias->getTypeSourceInfo());
    if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(&declared))
      constant(field->getBitWidth());
    else if (const auto* enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(&declared))
      constant(enumerator->getInitExpr());
    else if (const auto* assertion = llvm::dyn_cast<clang::StaticAssertDecl>(&declared))
      constant(assertion->getAssertExpr());
    if (const auto* members = llvm::dyn_cast<clang::DeclContext>(&declared))
      for (const clang::Decl* member : members->decls())
        declaration(*member);
  }

  void type(const clang::TypeSourceInfo* info) {
    if (!info)
      return;
    for (clang::TypeLoc part = info->getTypeLoc(); part; part = part.getNextTypeLoc())
      if (const auto array = part.getAs<clang::ArrayTypeLoc>())
        constant(array.getSizeExpr());
  }

  // Adds the variables that the expression names, and those that their initialisers name.
  void constant(const clang::Expr* expression) {
    if (!expression)
      return;
    frontend::walk(*expression, [&](const clang::Stmt& node) {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node);
      const auto* variable =
          reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
      if (variable && variables.insert(variable).second)
        constant(variable->getInit());
      return true;
    });
  }
};

} // namespace

bool is_constant_operand(const clang::Expr& operand) {
  const clang::Expr* node = &operand;
  while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(node)) {
    switch (cast->getCastKind()) {
    case clang::CK_NullToPointer:
    case clang::CK_ZeroToOCLOpaqueType:
    case clang::CK_IntToOCLSampler:
      return true;
    default:
      break;
    }
    if (!llvm::isa<clang::ImplicitCastExpr>(cast))
      return false;
    node = cast->getSubExpr();
  }
  return false;
}

std::set<const clang::VarDecl*> constant_variables(const clang::FunctionDecl& function) {
  Collector collector;
  frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
    collector.statement(node);
    return true;
  });
  return std::move(collector.variables);
}

} // namespace gputest::passes::mutation
