// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/proposals.h"

#include "frontend/walk.h"
#include "passes/dataflow/barriers.h"
#include "passes/mutation/constant_expressions.h"
#include "passes/mutation/operators/operators.h"
#include "passes/mutation/shown_text.h"

#include <llvm/ADT/StringExtras.h>

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <fmt/format.h>
#include <tuple>

namespace gputest::passes::mutation {
namespace {

// Walks a function and offers each node to the operators.
class Finder {
public:
  Finder(const clang::FunctionDecl& function, Proposals& out)
      : function_(function), constants_(constant_variables(function)), out_(out),
        is_cpp_(model::row_of(out.tree().language()).is_cpp) {}

  void statement(const clang::Stmt& node, const clang::Stmt* parent, bool in_block) {
    if (is_cpp_ && is_others_macro(node) &&
        !llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::NullStmt>(node))
      return;
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&node)) {
      expression(*loop->getRangeInit(), &node, nullptr, false);
      return statement(*loop->getBody(), &node, true);
    }
    offer({.function = function_,
           .node = node,
           .parent = parent,
           .unused = true,
           .in_block = in_block});
    if (llvm::isa<clang::Expr>(node))
      return below(node, nullptr);
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node)) {
      for (const clang::Decl* declared : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
            variable && variable->getInit() && changes_at_run_time(*variable))
          expression(*variable->getInit(), &node, nullptr, false);
      return;
    }
    if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(&node))
      return statement(*label->getSubStmt(), &node, true);
    const bool is_label = llvm::isa<clang::LabelStmt, clang::AttributedStmt>(node);
    for (const clang::Stmt* child : node.children()) {
      if (!child)
        continue;
      if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node);
          choice && choice->isConstexpr() && child == choice->getCond())
        continue;
      if (const auto* operand = llvm::dyn_cast<clang::Expr>(child);
          operand && !is_body(node, *child))
        expression(*operand, &node, nullptr, is_step(node, *child));
      else
        statement(*child, &node, !is_label || llvm::isa<clang::Expr>(child));
    }
  }

private:
  bool changes_at_run_time(const clang::VarDecl& variable) const {
    const clang::QualType type = variable.getType();
    if (is_cpp_ && (variable.isConstexpr() ||
                    (type.isConstQualified() &&
                     variable.isUsableInConstantExpressions(variable.getASTContext()) &&
                     variable.evaluateValue())))
      return false;
    return !variable.isStaticLocal() && !type->isSamplerT() &&
           type.getAddressSpace() != clang::LangAS::opencl_constant &&
           !constants_.contains(&variable);
  }

  // Whether an expression is in the place of a statement.
  static bool is_body(const clang::Stmt& node, const clang::Stmt& child) {
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node))
      return &child == choice->getThen() || &child == choice->getElse();
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&node))
      return &child == loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&node))
      return &child == loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&node))
      return &child == loop->getBody();
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&node))
      return &child == choice->getBody();
    return llvm::isa<clang::CompoundStmt, clang::LabelStmt, clang::AttributedStmt>(node);
  }

  // Whether this is the first or third part of a for's head, whose value is not used.
  static bool is_step(const clang::Stmt& node, const clang::Stmt& child) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(&node);
    return loop && (&child == loop->getInit() || &child == loop->getInc());
  }

  void expression(const clang::Expr& whole, const clang::Stmt* parent, const clang::Expr* assigned,
                  bool unused) {
    const clang::Expr& node = *whole.IgnoreImplicit();
    if (node.getBeginLoc().isInvalid() || is_constant_operand(whole) ||
        llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::OpaqueValueExpr,
                  clang::ImplicitValueInitExpr, clang::LambdaExpr,
                  clang::SubstNonTypeTemplateParmExpr>(node) ||
        (is_cpp_ && (is_others_macro(node) || is_narrowed(whole, parent))))
      return;
    if (const auto* made = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(&node)) { // by <=>
      expression(*made->getLHS(), &node, nullptr, false);
      return expression(*made->getRHS(), &node, nullptr, false);
    }
    if (const auto* block = llvm::dyn_cast<clang::BlockExpr>(&node))
      return statement(*block->getBody(), nullptr, false);
    offer({.function = function_,
           .node = node,
           .parent = parent,
           .assigned = assigned,
           .unused = unused});
    if (!llvm::isa<clang::PseudoObjectExpr>(node)) // threadIdx.x
      below(node, assigned);
  }

  // Whether this is an element of a list in braces that must be a constant.
  static bool is_narrowed(const clang::Expr& whole, const clang::Stmt* parent) {
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&whole);
    const auto* construction = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(parent);
    return cast && cast->getCastKind() != clang::CK_LValueToRValue &&
           (llvm::isa_and_nonnull<clang::InitListExpr>(parent) ||
            (construction && construction->isListInitialization()));
  }

  // In CUDA, code from a macro of a header stays as it is.
  bool is_others_macro(const clang::Stmt& node) const {
    const clang::SourceManager& sources = out_.context().getSourceManager();
    const auto is_body = [&](clang::SourceLocation location) {
      return location.isMacroID() && !sources.isMacroArgExpansion(location);
    };
    return is_body(node.getBeginLoc()) || is_body(node.getEndLoc());
  }

  void below(const clang::Stmt& node, const clang::Expr* assigned) {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
    for (const clang::Stmt* child : node.children()) {
      const auto* operand = llvm::dyn_cast_or_null<clang::Expr>(child);
      if (!operand)
        continue;
      const clang::Expr* target = nullptr;
      if (binary && binary->isAssignmentOp() && child == binary->getLHS())
        target = binary;
      else if (unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf))
        target = unary;
      else if (llvm::isa<clang::ParenExpr, clang::MemberExpr, clang::ExtVectorElementExpr>(node))
        target = assigned;
      else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&node))
        target = child == element->getBase() ? assigned : nullptr;
      const bool unused = binary && binary->isCommaOp() && child == binary->getLHS();
      expression(*operand, &node, target, unused);
    }
  }

  void offer(const Candidate& place) {
    for (const Operator ask : operators(out_.tree().language()))
      ask(place, out_);
  }

  const clang::FunctionDecl& function_;
  const std::set<const clang::VarDecl*> constants_;
  Proposals& out_;
  bool is_cpp_;
};

// To a compiler, a barrier under a constant condition, such as one of a macro, is not conditional.
// It would be with mutants that change the constant, and compilers that form loops over work-items
// copy what follows a conditional barrier. So such mutants get programs of their own.
void keep_constant(const clang::FunctionDecl& function, Proposals& out) {
  frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node);
    clang::Expr::EvalResult value;
    if (!choice || !reaches_meeting(node) || choice->getCond()->HasSideEffects(out.context()) ||
        !choice->getCond()->EvaluateAsInt(value, out.context()))
      return true;
    const unsigned from = out.begin(*choice->getCond()), to = out.end(*choice->getCond());
    for (Proposal& proposal : out.proposals)
      if (proposal.begin >= from && proposal.end <= to) {
        proposal.manner = Manner::Program;
        proposal.synchronisation = true; // it may leave the barrier out
      }
    return true;
  });
}

} // namespace

void propose_in(const clang::FunctionDecl& function, Proposals& out) {
  Finder(function, out).statement(*function.getBody(), nullptr, false);
}

Proposals find_proposals(const frontend::Tree& tree,
                         const std::set<const clang::FunctionDecl*>& functions) {
  Proposals out(tree);
  for (const clang::FunctionDecl* function : tree.functions()) {
    if (!functions.contains(function))
      continue;
    const std::size_t first = out.unreached.size();
    propose_in(*function, out);
    keep_constant(*function, out);
    for (std::size_t i = first; i < out.unreached.size(); ++i)
      out.unreached[i].function = function->getNameAsString();
  }
  return out;
}

model::Mutant listed(const frontend::Tree& tree, const Proposal& proposal,
                     std::vector<std::string> operators, std::string function,
                     frontend::StableIds& ids) {
  const frontend::Excerpt excerpt = tree.source().excerpt(proposal.begin, proposal.end);
  model::Mutant mutant;
  mutant.operators = std::move(operators);
  mutant.function = std::move(function);
  mutant.file = excerpt.file;
  mutant.line = excerpt.line;
  mutant.column = excerpt.column;
  mutant.end_line = excerpt.end_line;
  mutant.end_column = excerpt.end_column;
  std::tie(mutant.text, mutant.replacement) = shown(excerpt.text, proposal.replacement);
  mutant.synchronisation = proposal.synchronisation;
  mutant.id = ids.next(
      fmt::format("{}.{:010x}", mutant.function.empty() ? "file" : mutant.function,
                  model::stable_hash<std::uint64_t>(excerpt.text + '\n' + proposal.replacement) &
                      0xffffffffffu));
  return mutant;
}

} // namespace gputest::passes::mutation
