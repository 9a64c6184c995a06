// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/counted_loops.h"

#include "passes/dataflow/jumps.h"
#include "passes/dataflow/variables.h"
#include "passes/nodes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gputest::passes {
namespace {

// The OpenCL C name of an integer type that arithmetic does not promote. Empty for other types.
std::string name_of(clang::QualType type) {
  static const std::set<std::string> names{"int", "uint", "long", "ulong"};
  const std::string name = type->isEnumeralType() ? "" : scalar_name(type);
  return names.contains(name) ? name : "";
}

// Whether only its function's own assignments can change the variable.
bool is_steady(const clang::VarDecl& variable) {
  return is_private(variable) && !variable.getType().isVolatileQualified() &&
         variable.getType().getAddressSpace() != clang::LangAS::opencl_constant;
}

bool is_id_function(const clang::CallExpr& call) {
  static const std::set<llvm::StringRef> names{
      "get_global_id",  "get_local_id",   "get_group_id",      "get_global_size",
      "get_local_size", "get_num_groups", "get_global_offset", "get_work_dim"};
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee && !callee->hasBody() && callee->getIdentifier() &&
         names.contains(callee->getName());
}

class Recognizer {
public:
  Recognizer(const frontend::Tree& tree, const clang::FunctionDecl& function,
             const clang::ForStmt& loop)
      : tree_(tree), loop_(loop), changed_(addressed_in(*function.getBody())) {}

  std::optional<CountedLoop> run(const std::string& name) {
    if (!loop_.getCond() || !loop_.getInc() || loop_.getConditionVariable() ||
        leaves_early(*loop_.getBody()))
      return std::nullopt;
    const auto* condition =
        llvm::dyn_cast<clang::BinaryOperator>(loop_.getCond()->IgnoreParenImpCasts());
    if (!condition || !condition->isComparisonOp() || condition->getOpcode() == clang::BO_EQ)
      return std::nullopt;
    const clang::Expr *left = condition->getLHS(), *right = condition->getRHS();
    const bool is_left = is_stepped(*left);
    if (!is_left && !is_stepped(*right))
      return std::nullopt;
    const clang::Expr& bound = is_left ? *right : *left;
    changed_.merge(assigned_in(*loop_.getBody()));
    if (changed_.contains(variable_))
      return std::nullopt;
    const std::optional<std::string> next = next_value();
    changed_.insert(variable_);
    if (!next || !is_constant(bound))
      return std::nullopt;
    CountedLoop result{.place = 0, .before = {}, .first = text_of(*loop_.getCond()), .second = {}};
    const std::string op = clang::BinaryOperator::getOpcodeStr(condition->getOpcode()).str();
    result.second = is_left ? fmt::format("{} {} {}", *next, op, text_of(bound))
                            : fmt::format("{} {} {}", text_of(bound), op, *next);
    return place(result, name) ? std::optional(result) : std::nullopt;
  }

private:
  // Whether this side of the condition is the loop's variable.
  bool is_stepped(const clang::Expr& side) {
    const clang::VarDecl* variable = variable_of(side);
    const clang::Expr* step = loop_.getInc()->IgnoreParens();
    const clang::Expr* target = nullptr;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(step);
        unary && unary->isIncrementDecrementOp())
      target = unary->getSubExpr();
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(step);
        binary && binary->isAssignmentOp())
      target = binary->getLHS();
    if (!variable || !target || variable_of(*target) != variable || !is_steady(*variable) ||
        name_of(variable->getType()).empty())
      return false;
    variable_ = variable;
    return true;
  }

  // The variable's second value, as an expression of its type.
  std::optional<std::string> next_value() const {
    const clang::Expr* step = loop_.getInc()->IgnoreParens();
    const std::string name = variable_->getNameAsString();
    const std::string type = name_of(variable_->getType());
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(step))
      return fmt::format("({})({} {} 1)", type, name, unary->isIncrementOp() ? '+' : '-');
    const auto& binary = llvm::cast<clang::BinaryOperator>(*step);
    if (!is_constant(*binary.getRHS()))
      return std::nullopt;
    if (!binary.isCompoundAssignmentOp())
      return fmt::format("({})({})", type, text_of(*binary.getRHS()));
    std::string op = clang::BinaryOperator::getOpcodeStr(binary.getOpcode()).str();
    op.pop_back(); // the '='
    return fmt::format("({})({} {} ({}))", type, name, op, text_of(*binary.getRHS()));
  }

  // Whether the loop does not change the value of `node`, and computing it has no side effects.
  bool is_constant(const clang::Stmt& node) const {
    if (llvm::isa<clang::IntegerLiteral, clang::CharacterLiteral, clang::UnaryExprOrTypeTraitExpr>(
            node))
      return true;
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      return llvm::isa<clang::EnumConstantDecl>(reference->getDecl()) ||
             (variable && is_steady(*variable) && variable->getType()->isIntegerType() &&
              !changed_.contains(variable));
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
      return is_id_function(*call) && std::ranges::all_of(call->arguments(), [&](const auto* one) {
               return is_constant(*one);
             });
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(&node);
    const bool computes =
        llvm::isa<clang::ParenExpr>(node) ||
        (unary && unary->isArithmeticOp() && unary->getOpcode() != clang::UO_LNot) ||
        (binary && !binary->isAssignmentOp() &&
         (binary->isMultiplicativeOp() || binary->isAdditiveOp() || binary->isShiftOp() ||
          binary->isBitwiseOp())) ||
        (cast && cast->getType()->isIntegerType() &&
         cast->getSubExpr()->getType()->isIntegerType());
    return computes && std::ranges::all_of(node.children(), [&](const clang::Stmt* child) {
             return child && is_constant(*child);
           });
  }

  bool place(CountedLoop& loop, const std::string& name) const {
    const clang::Stmt* init = loop_.getInit();
    if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(init)) {
      // If the variable is declared there, a variable declared behind it has its type.
      if (!llvm::is_contained(declaration->decls(), variable_))
        return false;
      const clang::Decl* last = *std::prev(declaration->decl_end());
      loop.place = tree_.end(last->getSourceRange());
      loop.before = fmt::format(", {} = ", name);
    } else if (const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(init)) {
      loop.place = tree_.end(expression->getSourceRange());
      loop.before = ", ";
    } else {
      loop.place = tree_.offset(loop_.getLParenLoc()) + 1;
    }
    return true;
  }

  std::string text_of(const clang::Expr& expression) const {
    const unsigned begin = tree_.begin(expression.getSourceRange());
    std::string text =
        tree_.source().text.substr(begin, tree_.end(expression.getSourceRange()) - begin);
    std::ranges::replace(text, '\n', ' ');
    return text;
  }

  const frontend::Tree& tree_;
  const clang::ForStmt& loop_;
  const clang::VarDecl* variable_ = nullptr;
  Variables changed_; // in the loop, or somewhere by address
};

} // namespace

std::optional<CountedLoop> counted_loop(const frontend::Tree& tree,
                                        const clang::FunctionDecl& function,
                                        const clang::ForStmt& loop, const std::string& name) {
  return Recognizer(tree, function, loop).run(name);
}

} // namespace gputest::passes
