// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loop_boundary: a loop's body is not executed, or executed once more or less often than its
// condition says (CLTestCheck, FASE 2019, section 3.2).
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include "frontend/walk.h"

#include <clang/AST/Decl.h>

namespace gputest::passes::mutation {
namespace {

struct Loop {
  const clang::Expr* condition = nullptr;
  const clang::Expr* step = nullptr;
  bool is_do = false;
};

bool has_call_or_effect(const clang::Expr& expression) {
  return !has_no_effect(expression) || frontend::any_of(expression, [](const clang::Stmt& node) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
    return call && builtin_name(*call).empty();
  });
}

// The variable that a step such as ++i, i += s or i = i / 2 changes, and nothing else. Null: none.
const clang::VarDecl* stepped(const clang::Expr* step) {
  if (!step)
    return nullptr;
  const clang::Expr* target = nullptr;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(step->IgnoreParens());
      unary && unary->isIncrementDecrementOp())
    target = unary->getSubExpr();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(step->IgnoreParens());
      binary && binary->isAssignmentOp() && !has_call_or_effect(*binary->getRHS()))
    target = binary->getLHS();
  const auto* reference =
      target ? llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens()) : nullptr;
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (!variable || !variable->hasLocalStorage() || scalar_name(variable->getType()).empty() ||
      !is_integer(variable->getType()) || variable->getType().isVolatileQualified())
    return nullptr;
  return variable;
}

} // namespace

void propose_loop(const Candidate& place, Proposals& out) {
  Loop loop;
  const auto* counted = llvm::dyn_cast<clang::ForStmt>(&place.node);
  const auto* repeated = llvm::dyn_cast<clang::WhileStmt>(&place.node);
  if (counted)
    loop = {counted->getCond(), counted->getInc(), false};
  else if (repeated)
    loop = {repeated->getCond(), nullptr, false};
  else if (const auto* done = llvm::dyn_cast<clang::DoStmt>(&place.node))
    loop = {done->getCond(), nullptr, true};
  else
    return;
  if (llvm::isa_and_nonnull<clang::AttributedStmt>(place.parent))
    return out.not_mutated("loop_boundary", place.node, "it has attributes");
  if ((counted && counted->getConditionVariable()) ||
      (repeated && repeated->getConditionVariable()))
    return out.not_mutated("loop_boundary", place.node, "its condition is a declaration");
  const unsigned begin = out.begin(place.node), end = out.tree().end_of_statement(place.node);
  const clang::VarDecl* variable = stepped(loop.step);
  const auto propose = [&](Manner manner, const char* shown, std::vector<Replacement> patch) {
    Proposal proposal{.operator_name = "loop_boundary", .manner = manner, .node = &place.node};
    proposal.begin = loop.condition && !loop.is_do ? out.begin(*loop.condition) : begin;
    proposal.end = loop.condition && !loop.is_do ? out.end(*loop.condition) : begin + 1;
    if (proposal.end == begin + 1) // the keyword
      out.token(place.node.getBeginLoc(), proposal.begin, proposal.end);
    const std::string original = out.tree().source().excerpt(proposal.begin, proposal.end).text;
    proposal.replacement = original + shown;
    proposal.patch = std::move(patch);
    if (manner == Manner::LoopLess)
      proposal.variable = variable->getNameAsString();
    out.add(std::move(proposal));
  };
  const auto text = [](std::string content) { return Part{std::move(content), nullptr, false}; };

  if (loop.is_do)
    propose(Manner::LoopSkip, " /* skipped */", {{begin, begin, {text("if (0) ")}}});
  if (!loop.condition) {
    out.not_mutated("loop_boundary", place.node, "it has no condition");
    return;
  }
  const unsigned from = out.begin(*loop.condition), to = out.end(*loop.condition);
  if (!loop.is_do)
    propose(Manner::LoopSkip, " /* never */",
            {{from, from, {text("0 && (")}}, {to, to, {text(")")}}});
  propose(Manner::LoopMore, " /* and once more */",
          {{begin, begin, {text("{ int gputest_more = 0; ")}},
           {from, from, {text("(")}},
           {to, to, {text(") || gputest_more++ == 0")}},
           {end, end, {text(" }")}}});
  if (!variable || has_call_or_effect(*loop.condition)) {
    out.not_mutated(
        "loop_boundary", place.node,
        "one iteration less needs a step of one integer variable and a condition without effects");
    return;
  }
  const std::string name = variable->getNameAsString();
  propose(Manner::LoopLess, " /* once less */",
          {{begin, begin, {text("{ long gputest_saved; int gputest_again; ")}},
           {from, from, {text("(")}},
           {to,
            to,
            {text(") && (gputest_saved = " + name + ", ("), Part{{}, loop.step, false},
             text("), gputest_again = ("), Part{{}, loop.condition, false},
             text(") != 0, " + name + " = gputest_saved, gputest_again)")}},
           {end, end, {text(" }")}}});
}

} // namespace gputest::passes::mutation
