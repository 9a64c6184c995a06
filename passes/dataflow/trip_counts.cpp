// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/trip_counts.h"

#include "passes/dataflow/jumps.h"
#include "passes/dataflow/variables.h"

#include <clang/AST/Expr.h>
#include <llvm/ADT/APSInt.h>

#include <optional>

namespace gputest::passes {
namespace {

using Value = std::optional<llvm::APSInt>;

class Evaluator {
public:
  explicit Evaluator(const clang::ASTContext& context) : context_(context) {}

  llvm::APSInt convert(const llvm::APSInt& value, clang::QualType type) const {
    llvm::APSInt result = value.extOrTrunc(static_cast<unsigned>(context_.getTypeSize(type)));
    result.setIsSigned(type->isSignedIntegerOrEnumerationType());
    return result;
  }

  // The value of the expression if `variable` has the value `its`. Everything else must be
  // constant.
  Value evaluate(const clang::Expr& expression, const clang::VarDecl* variable = nullptr,
                 const Value& its = std::nullopt) const {
    const clang::QualType type = expression.getType();
    if (!type->isIntegerType())
      return std::nullopt;
    clang::Expr::EvalResult constant;
    if (!expression.isValueDependent() && expression.EvaluateAsInt(constant, context_))
      return constant.Val.getInt();
    if (const auto* inner = llvm::dyn_cast<clang::ParenExpr>(&expression))
      return evaluate(*inner->getSubExpr(), variable, its);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expression)) {
      if (type->isBooleanType())
        return std::nullopt;
      const Value value = evaluate(*cast->getSubExpr(), variable, its);
      return value ? Value(convert(*value, type)) : value;
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression)) {
      const auto* declared = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!declared)
        return std::nullopt;
      if (declared == variable)
        return its;
      const bool fixed = is_private(*declared) && declared->getType().isConstQualified() &&
                         !declared->getType().isVolatileQualified() && declared->hasInit();
      const Value value = fixed ? evaluate(*declared->getInit()) : std::nullopt;
      return value ? Value(convert(*value, declared->getType())) : value;
    }
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
    if (!binary || binary->isAssignmentOp())
      return std::nullopt;
    const Value left = evaluate(*binary->getLHS(), variable, its);
    const Value right = evaluate(*binary->getRHS(), variable, its);
    return left && right ? compute(binary->getOpcode(), *left, *right) : std::nullopt;
  }

  // Both operands have the type that the usual conversions give, except for shifts.
  static Value compute(clang::BinaryOperatorKind op, const llvm::APSInt& left,
                       const llvm::APSInt& right) {
    const bool negative =
        (left.isSigned() && left.isNegative()) || (right.isSigned() && right.isNegative());
    switch (op) {
    case clang::BO_Shl:
    case clang::BO_Shr:
      if (negative || right.getLimitedValue(left.getBitWidth()) >= left.getBitWidth())
        return std::nullopt;
      return op == clang::BO_Shl ? left << static_cast<unsigned>(right.getZExtValue())
                                 : left >> static_cast<unsigned>(right.getZExtValue());
    default:
      break;
    }
    if (left.getBitWidth() != right.getBitWidth() || left.isSigned() != right.isSigned())
      return std::nullopt;
    const auto truth = [](bool value) { return Value(llvm::APSInt::get(value ? 1 : 0)); };
    switch (op) {
    case clang::BO_Add:
      return left + right;
    case clang::BO_Sub:
      return left - right;
    case clang::BO_Mul:
      return left * right;
    case clang::BO_Div:
      return negative || right.isZero() ? std::nullopt : Value(left / right);
    case clang::BO_LT:
      return truth(left < right);
    case clang::BO_GT:
      return truth(left > right);
    case clang::BO_LE:
      return truth(left <= right);
    case clang::BO_GE:
      return truth(left >= right);
    case clang::BO_EQ:
      return truth(left == right);
    case clang::BO_NE:
      return truth(left != right);
    default:
      return std::nullopt;
    }
  }

private:
  const clang::ASTContext& context_;
};

// The variable that the loop's head initialises, and its initial value.
std::pair<const clang::VarDecl*, const clang::Expr*> initialised(const clang::ForStmt& loop) {
  if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
      declaration && declaration->isSingleDecl())
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl()))
      return {variable, variable->getInit()};
  if (const auto* assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInit());
      assignment && assignment->getOpcode() == clang::BO_Assign)
    return {variable_of(*assignment->getLHS()), assignment->getRHS()};
  return {nullptr, nullptr};
}

// The variable's value after the loop's increment.
Value stepped(const Evaluator& evaluator, const clang::ForStmt& loop,
              const clang::VarDecl& variable, const llvm::APSInt& value) {
  if (!loop.getInc())
    return std::nullopt;
  const clang::Expr& step = *loop.getInc()->IgnoreParens();
  Value next;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&step);
      unary && unary->isIncrementDecrementOp() && variable_of(*unary->getSubExpr()) == &variable) {
    const llvm::APSInt one(llvm::APInt(value.getBitWidth(), 1), value.isUnsigned());
    return unary->isIncrementOp() ? value + one : value - one;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&step);
  if (!binary || !binary->isAssignmentOp() || variable_of(*binary->getLHS()) != &variable)
    return std::nullopt;
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(binary)) {
    const Value right = evaluator.evaluate(*compound->getRHS());
    if (right)
      next = Evaluator::compute(
          clang::BinaryOperator::getOpForCompoundAssignment(compound->getOpcode()),
          evaluator.convert(value, compound->getComputationLHSType()), *right);
  } else {
    next = evaluator.evaluate(*binary->getRHS(), &variable, value);
  }
  return next ? Value(evaluator.convert(*next, variable.getType())) : next;
}

} // namespace

const char* TripCount::reason() const {
  if (zero)
    return "the loop never runs";
  if (one && many)
    return "the loop's condition is true at first";
  return one ? "the loop never runs more than once" : "the loop always runs more than once";
}

TripCount trip_count(const clang::ASTContext& context, const clang::FunctionDecl& function,
                     const clang::ForStmt& loop) {
  TripCount result;
  const auto [variable, init] = initialised(loop);
  if (!variable || !init || !loop.getCond() || !is_private(*variable) ||
      variable->getType().isVolatileQualified() || !variable->getType()->isIntegerType())
    return result;
  const Evaluator evaluator(context);
  Value value = evaluator.evaluate(*init);
  if (!value)
    return result;
  value = evaluator.convert(*value, variable->getType());
  const Value first = evaluator.evaluate(*loop.getCond(), variable, value);
  if (!first)
    return result;
  if (first->isZero())
    return {.zero = true, .one = false, .many = false};
  result.zero = false;
  if (assigned_in(*loop.getBody()).contains(variable) ||
      addressed_in(*function.getBody()).contains(variable))
    return result;
  const Value next = stepped(evaluator, loop, *variable, *value);
  const Value second = next ? evaluator.evaluate(*loop.getCond(), variable, next) : std::nullopt;
  if (!second)
    return result;
  if (second->isZero())
    result.many = false;
  else
    result.one = leaves_early(*loop.getBody());
  return result;
}

} // namespace gputest::passes
