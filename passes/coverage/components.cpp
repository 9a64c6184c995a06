// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions of vectors, which choose component by component: `?:`, `&&`, `||` and `!` on vectors,
// any(), all() and select(). An outcome occurs if some component has it.
#include "frontend/cuda/device_functions.h"
#include "frontend/walk.h"
#include "passes/coverage/instrumenter.h"
#include "passes/nodes.h"

#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

namespace gputest::passes {

using model::Criterion;

namespace {

bool only_computes(const clang::FunctionDecl& function, const clang::ASTContext& context,
                   unsigned depth = 0) {
  constexpr unsigned kMostCalls = 8; // within each other
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
  if ((method && method->isVirtual()) || !body || body->size() != 1 || depth == kMostCalls)
    return false;
  const auto* result = llvm::dyn_cast<clang::ReturnStmt>(body->body_front());
  if (!result || !result->getRetValue() ||
      result->getRetValue()->HasSideEffects(context, /*IncludePossibleEffects=*/false))
    return false;
  return !frontend::any_of(*result, [&](const clang::Stmt& node) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
      return !call->getDirectCallee() ||
             !only_computes(*call->getDirectCallee(), context, depth + 1);
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&node);
    return made && !made->getConstructor()->isTrivial();
  });
}

// Whether the object can be asked once more whether it is true: its class says that by functions
// that do nothing else.
bool can_be_asked_again(const clang::Expr& condition, const clang::ASTContext& context) {
  return !frontend::any_of(condition, [&](const clang::Stmt& node) {
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&node);
    return call && !(call->getDirectCallee() && only_computes(*call->getDirectCallee(), context));
  });
}

// Returns why an object that chooses cannot be recorded; nullptr: it can.
const char* reason_against(const clang::BinaryConditionalOperator& choice,
                           const clang::ASTContext& context, bool has_context) {
  if (has_context && reaches_meeting(choice))
    return "its condition is a value too";
  return can_be_asked_again(*choice.getCond(), context)
             ? nullptr
             : "its condition has an effect, and is a value too";
}

} // namespace

const Instrumenter::OfInstances& Instrumenter::of_instances() {
  if (of_instances_)
    return *of_instances_;
  OfInstances& all = of_instances_.emplace();
  const auto look = [&](const clang::Stmt& node) {
    const auto* part = llvm::dyn_cast<clang::Expr>(&node);
    if (part && part->getType()->isVectorType())
      all.vectors.insert({{part->getBeginLoc(), part->getEndLoc()}, part->getType()});
    const auto* choice = llvm::dyn_cast<clang::BinaryConditionalOperator>(&node);
    if (choice && (choice->getCommon()->getType()->isRecordType() ||
                   (row_.has_context && reaches_meeting(*choice))))
      if (const char*& reason = all.choices[choice->getQuestionLoc()]; !reason)
        reason = reason_against(*choice, context_, row_.has_context);
    return true;
  };
  for (const auto& [place, instances] : frontend::device_instantiations(context_))
    for (const clang::FunctionDecl* made : instances) {
      frontend::walk(*made->getBody(), look);
      if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(made))
        for (const clang::CXXCtorInitializer* initializer : constructor->inits())
          frontend::walk(*initializer->getInit(), look);
    }
  return all;
}

clang::QualType Instrumenter::type_of(const clang::Expr& expression) {
  if (!expression.isTypeDependent())
    return expression.getType();
  const auto& vectors = of_instances().vectors;
  const auto found = vectors.find({expression.getBeginLoc(), expression.getEndLoc()});
  return found == vectors.end() ? expression.getType() : found->second;
}

bool Instrumenter::is_vector(const clang::Expr& expression) {
  return type_of(expression)->isVectorType();
}

bool Instrumenter::decide_components(const clang::Expr& condition, Criterion criterion,
                                     const char* kind, Decides decides) {
  const bool pointer = row_.has_context && condition.getType()->isPointerType();
  const std::string type = pointer ? "ulong" : arithmetic_name(condition.getType());
  if (type.empty() && row_.has_context)
    return false;
  const Bit no = new_bits(2);
  const bool vector = is_vector(condition);
  decision_site(condition, criterion, kind, no,
                vector ? std::nullopt : constant_condition(&condition));
  std::string left;
  if (row_.has_context) {
    const char* const recorder = decides == Decides::Value && vector ? "gputest_values"
                                 : decides == Decides::Value         ? "gputest_value"
                                                                     : "gputest_signs";
    recorders_.insert({recorder, type});
    left = fmt::format("{}_{}(&gputest->words[{}], {}, (", recorder, type, no.word(), no.mask());
    if (pointer)
      left = fmt::format(
          "({}){}(ulong)(",
          condition.getType().getUnqualifiedType().getAsString(context_.getPrintingPolicy()), left);
  } else {
    const bool gnu = vector && !type_of(condition)->isExtVectorType();
    left = fmt::format("{}({}, {}, (",
                       gnu                          ? "GPUTEST_GNU_VALUES"
                       : decides == Decides::Value  ? "GPUTEST_VALUES"
                       : decides == Decides::Choice ? "GPUTEST_CHOICES"
                                                    : "GPUTEST_SIGNS",
                       no.word(), no.mask());
  }
  edits_.around(tree_.begin(condition.getSourceRange()), tree_.end(condition.getSourceRange()),
                left, pointer ? ")))" : "))");
  return true;
}

void Instrumenter::decide_object(const clang::Expr& condition) {
  const Bit no = new_bits(2);
  decision_site(condition, Criterion::Branch, "conditional", no, std::nullopt);
  edits_.around(tree_.begin(condition.getSourceRange()), tree_.end(condition.getSourceRange()),
                fmt::format("GPUTEST_OBJECT({}, {}, (", no.word(), no.mask()), "))");
}

void Instrumenter::visit_vector_conditional(const clang::ConditionalOperator& choice, Bit probe) {
  const clang::Expr& condition = *choice.getCond();
  // GNU's vectors choose as C++ does, all others as OpenCL C.
  const bool by_sign =
      row_.has_context || context_.getLangOpts().OpenCL || type_of(condition)->isExtVectorType();
  decide_components(condition, Criterion::Branch, "conditional",
                    by_sign ? Decides::Choice : Decides::Value);
  operands(condition, probe);
  visit(*choice.getTrueExpr(), probe, false);
  visit(*choice.getFalseExpr(), probe, false);
}

namespace {

// Whether a template may have this expression be an object. It is no bit-field and no component of
// a vector, which no reference can be to.
bool may_be_object(const clang::Expr& expression) {
  const clang::Expr* const inner = expression.IgnoreParens();
  return expression.isTypeDependent() &&
         llvm::isa<clang::DeclRefExpr, clang::CallExpr, clang::CXXUnresolvedConstructExpr>(inner);
}

} // namespace

void Instrumenter::visit_short_conditional(const clang::BinaryConditionalOperator& choice,
                                           Bit probe) {
  const clang::Expr& common = *choice.getCommon();
  const bool may_be = may_be_object(common) && !is_vector(common);
  std::optional<const char*> reason; // where it is an object, be it in some instance
  if (common.getType()->isRecordType()) {
    reason = reason_against(choice, context_, row_.has_context);
  } else if (may_be) {
    const auto& choices = of_instances().choices;
    if (const auto found = choices.find(choice.getQuestionLoc()); found != choices.end())
      reason = found->second;
  }
  if (reason && (in_initializer_ || *reason))
    return book_.not_instrumented(choice.getSourceRange(), "?: without a middle",
                                  in_initializer_ ? "it is in a constructor's initialiser"
                                                  : *reason);
  if (reason || (may_be && !in_initializer_)) {
    decide_object(common);
  } else if ((row_.has_context && reaches_meeting(choice)) ||
             !decide_components(common, Criterion::Branch, "conditional",
                                is_vector(common) ? Decides::Choice : Decides::Value)) {
    return book_.not_instrumented(choice.getSourceRange(), "?: without a middle",
                                  "its condition is a value too");
  }
  operands(common, probe);
  visit(*choice.getFalseExpr(), probe, false);
}

void Instrumenter::visit_choosing_call(const clang::CallExpr& call) {
  llvm::StringRef name = builtin_name(call);
  if (const auto* unresolved = llvm::dyn_cast<clang::OverloadExpr>(call.getCallee());
      unresolved && unresolved->getName().isIdentifier()) // in a template
    name = unresolved->getName().getAsIdentifierInfo()->getName();
  if ((name == "any" || name == "all") && call.getNumArgs() == 1) {
    const clang::Expr& operand = *call.getArg(0);
    if (!is_logical(*operand.IgnoreParenImpCasts())) // its operands are decisions
      decide_components(operand, Criterion::Condition, "", Decides::Sign);
  } else if (name == "select" && call.getNumArgs() == 3) {
    const clang::Expr& operand = *call.getArg(2);
    decide_components(operand, Criterion::Branch, "conditional",
                      is_vector(operand) ? Decides::Choice : Decides::Value);
  }
}

std::string Instrumenter::recorders() const {
  std::string text;
  for (const auto& [recorder, type] : recorders_) {
    const std::size_t digits = type.find_first_of("0123456789");
    const bool is_unsigned = type.front() == 'u';
    const std::string width = digits == std::string::npos ? "" : type.substr(digits);
    if (type.starts_with("half"))
      text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    if (recorder == "gputest_signs")
      text +=
          fmt::format("GPUTEST_SIGNS({}, {})\n", type, is_unsigned ? "as_" + type.substr(1) : "");
    else
      text += fmt::format("{}({})\n",
                          recorder == "gputest_values" ? "GPUTEST_VALUES" : "GPUTEST_VALUE", type);
  }
  return text;
}

} // namespace gputest::passes
