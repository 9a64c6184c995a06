// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/coverage/instrumenter.h"
#include "passes/nodes.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::passes {

using model::Criterion;

void Instrumenter::decide_with(const clang::Expr& condition, const char* kind, Bit no, Bit probe,
                               bool selects) {
  decision_site(condition, Criterion::Branch, kind, no, constant_condition(&condition));
  wrap_decision(condition, recording(no, selects || vote_of_.contains(&condition)));
  operands(condition, probe);
}

void Instrumenter::decision_site(const clang::Expr& condition, Criterion criterion,
                                 const char* kind, Bit no, std::optional<bool> constant) {
  const std::size_t site = book_.add(criterion, kind, tree_.begin(condition.getSourceRange()),
                                     tree_.end(condition.getSourceRange()),
                                     {{"true", no.index + 1}, {"false", no.index}});
  if (constant)
    book_.leave_out(site, {*constant ? "false" : "true"},
                    fmt::format("the condition is always {}", *constant));
}

std::string Instrumenter::recording(Bit no, bool selects) const {
  return fmt::format("{}({}, {}, (",
                     selects || barrier_loops_ > 0 ? "GPUTEST_DECIDE" : "GPUTEST_BRANCH", no.word(),
                     no.mask());
}

void Instrumenter::on_side(bool side, std::optional<bool> constant, const clang::Expr& condition,
                           llvm::function_ref<void()> go) {
  const bool dead = constant.value_or(side) != side;
  if (dead)
    book_.enter_dead(fmt::format("the condition in {} is always {}",
                                 tree_.source().name_of(tree_.begin(condition.getSourceRange())),
                                 *constant));
  go();
  if (dead)
    book_.leave_dead();
}

void Instrumenter::wrap_decision(const clang::Expr& condition, std::string left) {
  std::string right = "))";
  if (const auto vote = vote_of_.find(&condition); vote != vote_of_.end()) {
    left += fmt::format("GPUTEST_VOTE({}, {}, (", vote->second,
                        plan_.votes[vote->second].instead ? 1 : 0);
    right += "))";
  }
  edits_.around(tree_.begin(condition.getSourceRange()), tree_.end(condition.getSourceRange()),
                left, right);
}

bool Instrumenter::only_computes(const clang::IfStmt& choice) {
  return computes(*choice.getThen()) && (!choice.getElse() || computes(*choice.getElse()));
}

bool Instrumenter::computes(const clang::Stmt& node) {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&node);
      cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay)
    return false;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
      unary && unary->getOpcode() == clang::UO_Deref)
    return false;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node); member && member->isArrow())
    return false;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
      binary && binary->isLogicalOp())
    return false;
  if (!llvm::isa<clang::CompoundStmt, clang::BinaryOperator, clang::UnaryOperator, clang::ParenExpr,
                 clang::CastExpr, clang::DeclRefExpr, clang::MemberExpr, clang::IntegerLiteral,
                 clang::FloatingLiteral, clang::CharacterLiteral>(node))
    return false;
  return std::ranges::all_of(node.children(),
                             [](const clang::Stmt* child) { return child && computes(*child); });
}

void Instrumenter::operands(const clang::Expr& expression, Bit probe) {
  const clang::Expr* node = expression.IgnoreParenImpCasts();
  if (is_logical(*node))
    visit_logical(*node, probe);
  else
    visit(*node, probe, false);
}

bool Instrumenter::is_logical(const clang::Expr& expression) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression))
    return binary->isLogicalOp();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression))
    return unary->getOpcode() == clang::UO_LNot;
  const auto* fold = llvm::dyn_cast<clang::CXXFoldExpr>(&expression);
  return fold && clang::BinaryOperator::isLogicalOp(fold->getOperator());
}

void Instrumenter::visit_logical(const clang::Expr& expression, Bit probe) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression))
    return condition(*unary->getSubExpr(), probe);
  if (const auto* fold = llvm::dyn_cast<clang::CXXFoldExpr>(&expression)) {
    for (const clang::Expr* operand : {fold->getLHS(), fold->getRHS()})
      if (operand)
        condition(*operand, probe);
    return;
  }
  const auto& binary = llvm::cast<clang::BinaryOperator>(expression);
  condition(*binary.getLHS(), probe);
  if (is_vector(expression)) // evaluates both
    return condition(*binary.getRHS(), probe);
  on_side(binary.getOpcode() == clang::BO_LAnd, constant_condition(binary.getLHS()),
          *binary.getLHS(), [&] { condition(*binary.getRHS(), probe); });
}

void Instrumenter::condition(const clang::Expr& operand, Bit probe) {
  const clang::Expr* inner = operand.IgnoreParenImpCasts();
  if (is_logical(*inner)) {
    if (vote_of_.contains(&operand))
      wrap_decision(operand, "((");
    return visit_logical(*inner, probe);
  }
  if (is_vector(operand)) {
    decide_components(operand, Criterion::Condition, "", Decides::Value);
    return visit(*inner, probe, false);
  }
  const Bit no = new_bits(2);
  decision_site(operand, Criterion::Condition, "", no, constant_condition(&operand));
  wrap_decision(operand, recording(no, vote_of_.contains(&operand)));
  visit(*inner, probe, false);
}

void Instrumenter::visit_children_of(const clang::Stmt& statement, Bit probe) {
  for (const clang::Stmt* child : statement.children())
    if (child)
      visit(*child, probe, false);
}

void Instrumenter::visit(const clang::Stmt& node, Bit probe, bool whole) {
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::TypeTraitExpr, clang::ConstantExpr>(node))
    return; // not evaluated, or at compile time
  if (row_.is_cpp && visit_cpp(node, probe))
    return;
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node)) {
    for (const clang::Decl* declared : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
          variable && variable->hasInit() && !is_compile_time(*variable))
        visit(*variable->getInit(), probe, false);
    return;
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&node)) {
    const clang::InitListExpr* written = list->isSyntacticForm() ? list : list->getSyntacticForm();
    return visit_children_of(written ? *written : *list, probe);
  }
  if (const auto* block = llvm::dyn_cast<clang::BlockExpr>(&node))
    return instrument_block(*block);
  if (const auto* inlined = llvm::dyn_cast<clang::StmtExpr>(&node))
    return walk(*inlined->getSubStmt(), probe);
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(&node)) {
    if (is_logical(*expression))
      return visit_logical(*expression, probe);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
      return visit_conditional(*choice, probe);
    if (const auto* choice = llvm::dyn_cast<clang::BinaryConditionalOperator>(expression))
      return visit_short_conditional(*choice, probe);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression))
      visit_call(*call, probe, whole);
  }
  if (llvm::isa<clang::AsmStmt>(node)) {
    book_.not_instrumented(node.getSourceRange(), "inline assembly", "its branches are unknown");
    return;
  }
  visit_children_of(node, probe);
}

void Instrumenter::visit_conditional(const clang::ConditionalOperator& choice, Bit probe) {
  if (is_vector(*choice.getCond()))
    return visit_vector_conditional(choice, probe);
  const Bit no = new_bits(2);
  decide_with(*choice.getCond(), "conditional", no, probe, reaches_meeting(choice));
  const auto constant = constant_condition(choice.getCond());
  on_side(true, constant, *choice.getCond(),
          [&] { visit(*choice.getTrueExpr(), no.next(), false); });
  on_side(false, constant, *choice.getCond(), [&] { visit(*choice.getFalseExpr(), no, false); });
}

void Instrumenter::visit_call(const clang::CallExpr& call, Bit probe, bool whole) {
  if (is_meeting(call) || builtin_name(call) == "sub_group_barrier")
    return visit_barrier(call, probe, whole);
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (context_.getLangOpts().OpenCL)
    visit_choosing_call(call);
  if (!row_.has_context || !callee || !is_ours(*callee))
    return;
  const std::string argument =
      frontend::is_kernel(*callee->getCanonicalDecl()) || frontend::is_kernel(*callee)
          ? "gputest->state"
          : "gputest";
  edits_.before(tree_.offset(call.getRParenLoc()), (call.getNumArgs() > 0 ? ", " : "") + argument);
}

void Instrumenter::visit_barrier(const clang::CallExpr& call, Bit probe, bool whole) {
  const unsigned begin = tree_.begin(call.getSourceRange());
  const unsigned end = tree_.end(call.getSourceRange());
  Bit executed = probe;
  if (!whole) { // an operand: control may reach the statement but not the barrier
    executed = new_bits(1);
    edits_.around(begin, end,
                  fmt::format("(GPUTEST_HIT({}, {}), ", executed.word(), executed.mask()), ")");
  }
  barrier_sites_[&call] =
      book_.add(Criterion::Barrier, "", begin, end, {{"executed", executed.index}});
  function_barriers_[current_] = true;
}

void Instrumenter::visit_children(const clang::Stmt& node) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
    visit_call(*call, Bit{}, true);
  for (const clang::Stmt* child : node.children())
    if (child)
      visit_children(*child);
}

} // namespace gputest::passes
