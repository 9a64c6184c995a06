// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions of vectors, which choose component by component: `?:`, `&&`, `||` and `!` on vectors,
// any(), all() and select(). An outcome occurs if some component has it.
#include "passes/coverage/instrumenter.h"
#include "passes/nodes.h"

#include <fmt/format.h>

namespace gputest::passes {

using model::Criterion;

bool Instrumenter::decide_components(const clang::Expr& condition, Criterion criterion,
                                     const char* kind, const char* recorder) {
  const std::string type = arithmetic_name(condition.getType());
  if (type.empty())
    return false;
  const Bit no = new_bits(2);
  const bool is_vector = condition.getType()->isVectorType();
  decision_site(condition, criterion, kind, no,
                is_vector ? std::nullopt : constant_condition(&condition));
  recorders_.insert({recorder, type});
  edits_.around(
      tree_.begin(condition.getSourceRange()), tree_.end(condition.getSourceRange()),
      fmt::format("{}_{}(&gputest->words[{}], {}, (", recorder, type, no.word(), no.mask()), "))");
  return true;
}

void Instrumenter::visit_short_conditional(const clang::BinaryConditionalOperator& choice,
                                           Bit probe) {
  const clang::Expr& common = *choice.getCommon();
  const bool is_vector = common.getType()->isVectorType();
  if (!row_.has_context || reaches_meeting(choice) ||
      !decide_components(common, Criterion::Branch, "conditional",
                         is_vector ? "gputest_signs" : "gputest_value"))
    return book_.not_instrumented(choice.getSourceRange(), "?: without a middle",
                                  "its condition is a value too");
  operands(common, probe);
  visit(*choice.getFalseExpr(), probe, false);
}

void Instrumenter::visit_choosing_call(const clang::CallExpr& call) {
  const llvm::StringRef name = builtin_name(call);
  if ((name == "any" || name == "all") && call.getNumArgs() == 1) {
    const clang::Expr& operand = *call.getArg(0);
    if (!is_logical(*operand.IgnoreParenImpCasts())) // its operands are decisions
      decide_components(operand, Criterion::Condition, "", "gputest_signs");
  } else if (name == "select" && call.getNumArgs() == 3) {
    const clang::Expr& operand = *call.getArg(2);
    decide_components(operand, Criterion::Branch, "conditional",
                      operand.getType()->isVectorType() ? "gputest_signs" : "gputest_value");
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
