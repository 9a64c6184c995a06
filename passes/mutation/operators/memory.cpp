// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// share_removal: a __local array or variable becomes each work-item's own (MutGPU, ICST 2020, Table
// I). volatile_removal: as in kernels that poll or reduce without fences and rely on it.
#include "passes/mutation/operators/operators.h"

#include "frontend/walk.h"

#include <clang/AST/Decl.h>

#include <set>

namespace gputest::passes::mutation {
namespace {

// Whether every use reads or writes an element or the variable itself. A pointer to private memory
// cannot replace a pointer to local memory.
bool only_elements_used(const clang::VarDecl& variable, const clang::Stmt& body) {
  bool only = true;
  const auto is_variable = [&](const clang::Stmt* node) {
    const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(node);
    const auto* reference =
        expression ? llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens()) : nullptr;
    return reference && reference->getDecl() == &variable;
  };
  std::set<const clang::Stmt*> decays; // to the first element, for a subscript
  frontend::walk(body, [&](const clang::Stmt& node) {
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&node))
      decays.insert(element->getBase());
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&node);
        cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay && !decays.contains(cast)) {
      const clang::Expr* base = cast->getSubExpr()->IgnoreParens();
      while (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(base))
        base = element->getBase()->IgnoreParenImpCasts();
      only &= !is_variable(base);
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
        unary && unary->getOpcode() == clang::UO_AddrOf) {
      const clang::Expr* base = unary->getSubExpr()->IgnoreParens();
      for (;;) {
        if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(base))
          base = element->getBase()->IgnoreParenImpCasts();
        else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base);
                 member && !member->isArrow())
          base = member->getBase()->IgnoreParenImpCasts();
        else
          break;
      }
      only &= !is_variable(base);
    }
    return true;
  });
  return only;
}

// Tokens of a declaration that spell `words`.
std::vector<frontend::FlatToken> tokens_named(const frontend::FlatSource& source, unsigned begin,
                                              unsigned end,
                                              std::initializer_list<std::string_view> words) {
  std::vector<frontend::FlatToken> found;
  for (std::size_t i = source.token_at_or_after(begin); i < source.tokens.size(); ++i) {
    const frontend::FlatToken& token = source.tokens[i];
    if (token.begin >= end)
      break;
    const std::string_view text(source.text.data() + token.begin, token.end - token.begin);
    if (std::ranges::find(words, text) != words.end())
      found.push_back(token);
  }
  return found;
}

void remove_token(std::string_view name, const frontend::FlatToken& token, unsigned begin,
                  unsigned end, bool synchronisation, Proposals& out) {
  out.add({.operator_name = name,
           .manner = Manner::Program,
           .begin = begin,
           .end = end,
           .patch = {{token.begin, token.end, {{"", nullptr, false}}}},
           .synchronisation = synchronisation});
}

void propose_share(const clang::DeclStmt& declaration, const Candidate& place, Proposals& out) {
  const unsigned begin = out.begin(declaration), end = out.end(declaration);
  bool shared = false, movable = true;
  for (const clang::Decl* declared : declaration.decls())
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
        variable && variable->getType().getAddressSpace() == clang::LangAS::opencl_local) {
      shared = true;
      movable &= only_elements_used(*variable, *place.function.getBody());
    }
  if (!shared)
    return;
  const auto tokens = tokens_named(out.tree().source(), begin, end, {"__local", "local"});
  if (!movable || tokens.size() != 1)
    out.not_mutated("share_removal", declaration,
                    "pointers to it are used, which only local memory has");
  else
    remove_token("share_removal", tokens.front(), begin, end, true, out);
}

} // namespace

void propose_memory(const Candidate& place, Proposals& out) {
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&place.node)) {
    propose_share(*declaration, place, out);
    const unsigned begin = out.begin(place.node), end = out.end(place.node);
    for (const frontend::FlatToken& token :
         tokens_named(out.tree().source(), begin, end, {"volatile"}))
      remove_token("volatile_removal", token, begin, end, true, out);
  }
  // Parameters are examined once for each function.
  if (place.parent || &place.node != place.function.getBody())
    return;
  for (const clang::ParmVarDecl* parameter : place.function.parameters()) {
    const unsigned begin = out.tree().begin(parameter->getSourceRange());
    const unsigned end = out.tree().end(parameter->getSourceRange());
    for (const frontend::FlatToken& token :
         tokens_named(out.tree().source(), begin, end, {"volatile"}))
      if (frontend::is_kernel(
              place.function)) // other functions would no longer accept their arguments
        remove_token("volatile_removal", token, begin, end, true, out);
  }
}

} // namespace gputest::passes::mutation
