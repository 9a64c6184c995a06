// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/proposals.h"

#include "frontend/walk.h"
#include "passes/guards/barriers.h"
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

std::string folded(std::string_view text) {
  std::string result;
  bool directive = false, line_start = true;
  for (const char c : text) {
    directive = (directive && c != '\n') || (line_start && c == '#');
    line_start = c == '\n' || (line_start && llvm::isSpace(c));
    if (directive)
      continue;
    if (!llvm::isSpace(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

// Walks a function and offers each node to the operators.
class Finder {
public:
  Finder(const clang::FunctionDecl& function, Proposals& out)
      : function_(function), constants_(constant_variables(function)), out_(out),
        cuda_(out.tree().language() == Language::Cuda) {}

  void statement(const clang::Stmt& node, const clang::Stmt* parent, bool in_block) {
    if (cuda_ && is_others_macro(node) &&
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
    if (cuda_ && (variable.isConstexpr() ||
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
        (cuda_ && (is_others_macro(node) || is_narrowed(whole, parent))))
      return;
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
  bool cuda_;
};

// How closely an operator binds, by the grammar of C.
int precedence(clang::BinaryOperatorKind kind) {
  using clang::BinaryOperator;
  if (BinaryOperator::isMultiplicativeOp(kind))
    return 11;
  if (BinaryOperator::isAdditiveOp(kind))
    return 10;
  if (BinaryOperator::isShiftOp(kind))
    return 9;
  if (BinaryOperator::isRelationalOp(kind))
    return 8;
  if (BinaryOperator::isEqualityOp(kind))
    return 7;
  switch (kind) {
  case clang::BO_And:
    return 6;
  case clang::BO_Xor:
    return 5;
  case clang::BO_Or:
    return 4;
  case clang::BO_LAnd:
    return 3;
  case clang::BO_LOr:
    return 2;
  default: // assignments and commas
    return 0;
  }
}

int precedence(const clang::Expr& written) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&written))
    return precedence(binary->getOpcode());
  return llvm::isa<clang::AbstractConditionalOperator>(written) ? 1 : 12;
}

// Whether an operator with this precedence in the place of `node`'s would take or lose operands.
bool regroups(const clang::BinaryOperator& node, int binds, const clang::Stmt* parent) {
  const auto* outer = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
  if (!outer || outer->isAssignmentOp() || outer->isCommaOp())
    return false;
  const bool is_left = outer->getLHS()->IgnoreImplicit() == &node;
  const int around = precedence(outer->getOpcode());
  return is_left ? binds < around : binds <= around;
}

// To a compiler, a barrier under a constant condition, such as one of a macro, is not conditional.
// It would be with mutants that change the constant, and compilers that form loops over work-items
// copy what follows a conditional barrier. So such mutants get programs of their own.
void keep_constant(const clang::FunctionDecl& function, Proposals& out) {
  walk(*function.getBody(), [&](const clang::Stmt& node) {
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node);
    clang::Expr::EvalResult value;
    if (!choice || !reaches_barrier(node) || choice->getCond()->HasSideEffects(out.context()) ||
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

std::string Proposals::text(const clang::Stmt& node) const {
  return folded(tree_.source().unpadded(begin(node), end(node)));
}

bool Proposals::token(clang::SourceLocation location, unsigned& from, unsigned& to) const {
  if (location.isInvalid() || location.isMacroID())
    return false;
  from = tree_.offset(location);
  const std::size_t index = tree_.source().token_at_or_after(from);
  if (index == tree_.source().tokens.size() || tree_.source().tokens[index].begin != from)
    return false;
  to = tree_.source().tokens[index].end;
  return true;
}

std::string Proposals::patched(unsigned from, unsigned to,
                               const std::vector<Replacement>& patch) const {
  std::string result;
  for (const Replacement& change : patch) {
    result += tree_.source().unpadded(from, change.begin);
    for (const Part& part : change.parts)
      result += part.node ? text(*part.node) : part.text;
    from = change.end;
  }
  return folded(result + tree_.source().unpadded(from, to));
}

void Proposals::swap_token(std::string_view operator_name, const clang::Stmt& node,
                           clang::SourceLocation at, const std::string& text) {
  unsigned from = 0, to = 0;
  if (!token(at, from, to))
    return not_mutated(operator_name, node, "it comes from a macro of the language");
  replace(operator_name, node, {{from, to, {{text, nullptr, false}}}});
}

void Proposals::swap_operator(std::string_view operator_name, const Candidate& place,
                              clang::BinaryOperatorKind other) {
  const auto& node = llvm::cast<clang::BinaryOperator>(place.node);
  unsigned from = 0, to = 0;
  if (!token(node.getOperatorLoc(), from, to))
    return not_mutated(operator_name, node, "it comes from a macro of the language");
  const auto text = [](std::string_view written) {
    return std::vector<Part>{{std::string(written), nullptr, false}};
  };
  std::vector<Replacement> patch;
  const auto insert = [&](unsigned at, std::string_view written) {
    patch.push_back({at, at, text(written)});
  };
  const clang::Expr& left = *node.getLHS()->IgnoreImplicit();
  const clang::Expr& right = *node.getRHS()->IgnoreImplicit();
  const int binds = precedence(other);
  const bool whole = regroups(node, binds, place.parent);
  const bool around_left = precedence(left) < binds, around_right = precedence(right) <= binds;
  if (whole)
    insert(begin(node), "(");
  if (around_left) {
    insert(begin(left), "(");
    insert(end(left), ")");
  }
  patch.push_back({from, to, text(clang::BinaryOperator::getOpcodeStr(other).str())});
  if (around_right) {
    insert(begin(right), "(");
    insert(end(right), ")");
  }
  if (whole)
    insert(end(node), ")");
  replace(operator_name, node, std::move(patch));
}

void Proposals::replace(std::string_view operator_name, const clang::Stmt& node,
                        std::vector<Replacement> patch) {
  add({.operator_name = operator_name, .node = &node, .patch = std::move(patch)});
}

void Proposals::add(Proposal proposal) {
  if (proposal.node && proposal.end == 0) {
    proposal.begin = begin(*proposal.node);
    proposal.end = end(*proposal.node);
  }
  if (proposal.replacement.empty())
    proposal.replacement = patched(proposal.begin, proposal.end, proposal.patch);
  proposals.push_back(std::move(proposal));
}

void Proposals::not_mutated(std::string_view operator_name, const clang::Stmt& node,
                            std::string reason) {
  unreached.push_back(
      tree_.unhandled(node.getSourceRange(), {}, std::string(operator_name), std::move(reason)));
}

void propose_in(const clang::FunctionDecl& function, Proposals& out) {
  Finder(function, out).statement(*function.getBody(), nullptr, false);
}

Proposals find_proposals(const Tree& tree, const std::set<const clang::FunctionDecl*>& functions) {
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

model::Mutant listed(const Tree& tree, const Proposal& proposal, std::vector<std::string> operators,
                     std::string function, StableIds& ids) {
  const Excerpt excerpt = tree.source().excerpt(proposal.begin, proposal.end);
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
  mutant.id = ids.next(fmt::format(
      "{}.{:010x}", mutant.function.empty() ? "file" : mutant.function,
      stable_hash<std::uint64_t>(excerpt.text + '\n' + proposal.replacement) & 0xffffffffffu));
  return mutant;
}

} // namespace gputest::passes::mutation
