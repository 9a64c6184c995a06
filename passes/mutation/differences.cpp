// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/differences.h"

#include "embedded/differences_cuh.h"
#include "embedded/state_h.h"
#include "embedded/storage_cl.h"
#include "frontend/walk.h"
#include "passes/cuda_state.h"
#include "passes/dataflow/call_graph.h"
#include "passes/mutation/renderer.h"
#include "passes/mutation/value_before.h"
#include "passes/nodes.h"
#include "passes/parameters.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <tuple>

namespace gputest::passes::mutation {
namespace {

constexpr std::string_view kPrelude = R"(
GPUTEST_STATIC void gputest_differs(__global uint* gputest, uint bit) {
  atomic_or(gputest + GPUTEST_STATE_HEADER_WORDS + bit / 32, 1u << bit % 32);
}
/* Whether two real numbers are others; all NaNs are one. */
#define GPUTEST_OTHER_REAL(as, a, b) ((as(a) != as(b)) & !(((a) != (a)) & ((b) != (b))))
)";

constexpr std::size_t kMostCopied = 4'000; // characters of an expression that mutants change

bool is_real(std::string_view type) {
  return type == "float" || type == "double";
}

// "int" of "short", and so on; empty for types that operators do not compute in.
std::string promoted(const std::string& type) {
  if (type == "char" || type == "uchar" || type == "short" || type == "ushort")
    return "int";
  static const std::set<std::string> kComputed{"int", "uint", "long", "ulong", "float", "double"};
  return kComputed.contains(type) ? type : "";
}

// Whether a C++ operand is a number as the author wrote it, which a function takes by value.
bool is_plain_number(const clang::Expr& operand) {
  return operand.IgnoreImplicitAsWritten()->getType()->isArithmeticType() &&
         !operand.IgnoreParenImpCasts()->refersToBitField();
}

// How functions of C++ are declared: both sides compile them.
constexpr std::string_view kInCpp = "static __host__ __device__ __forceinline__";

// The types of an operator's operands, and of what it computes.
struct Types {
  std::string left, right, result;
};

class Writer {
public:
  explicit Writer(const frontend::Tree& tree) : tree_(tree), kept_(of_no_kernel(tree).functions) {}

  Differences run(const MutantsOfNodes& mutants) {
    for (const clang::Decl* declaration : tree_.context().getTranslationUnitDecl()->decls())
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
          function && is_ours(*function))
        rewrite(*function, mutants);
    found_.words = (bits_ + 31) / 32;
    found_.text = fmt::format("{}{}{}{}{}", embedded::state_h, embedded::storage_cl, kPrelude,
                              helpers_, edits_.apply(tree_.source().text));
    return std::move(found_);
  }

  Differences run(const MutantsOfNodes& mutants,
                  const std::vector<const clang::FunctionDecl*>& functions) {
    // From the outside in. A value is around the operator that computes it.
    std::multimap<std::tuple<unsigned, unsigned, bool>, std::function<void()>> comparisons;
    const auto add = [&](const clang::Stmt& node, bool is_operator, auto compare) {
      const clang::SourceRange range = node.getSourceRange();
      comparisons.emplace(std::tuple(tree_.begin(range), ~tree_.end(range), is_operator), compare);
    };
    for (const clang::FunctionDecl* const function : functions) {
      for (const auto& [node, all] : outer_values(*function, mutants, true))
        add(*node, false,
            [this, node, all] { compare_values(llvm::cast<clang::Expr>(*node), all); });
      frontend::walk(*function->getBody(), [&](const clang::Stmt& node) {
        const auto* const binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
        if (const auto known = mutants.find(&node); binary && known != mutants.end())
          add(node, true, [this, binary, &all = known->second] { compare_binary(*binary, all); });
        return !llvm::isa<clang::LambdaExpr>(node);
      });
    }
    for (const auto& [place, compare] : comparisons)
      compare();
    take_state(tree_, edits_);
    for (auto& [place, argument] : state_arguments(tree_))
      edits_.before(place, std::move(argument));
    found_.words = (bits_ + 31) / 32;
    found_.text = fmt::format("{}#define GPUTEST_WORDS {}\n{}{}#line 1 \"{}\"\n{}",
                              state_of(tree_, "differences", ""), std::max(found_.words, 1U),
                              embedded::differences_cuh, helpers_, tree_.source().paths.front(),
                              edits_.apply(tree_.source().text));
    return std::move(found_);
  }

private:
  bool is_ours(const clang::FunctionDecl& function) const {
    if (kept_.contains(function.getCanonicalDecl()))
      return false;
    return frontend::is_wrapper(function) ||
           std::ranges::any_of(tree_.functions(), [&](const clang::FunctionDecl* own) {
             return own->getCanonicalDecl() == function.getCanonicalDecl();
           });
  }

  // The state buffer itself is passed on, so that each place that records names it.
  void rewrite(const clang::FunctionDecl& function, const MutantsOfNodes& mutants) {
    add_parameter(tree_, function, "__global uint* gputest", edits_);
    if (!function.doesThisDeclarationHaveABody())
      return;
    const MutantsOfNodes outer = outer_values(function, mutants, false);
    frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
      if (const auto seen = outer.find(&node); seen != outer.end()) // around what is below it
        compare_values(llvm::cast<clang::Expr>(node), seen->second);
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
        if (const clang::FunctionDecl* callee = call->getDirectCallee(); callee && is_ours(*callee))
          edits_.before(tree_.offset(call->getRParenLoc()),
                        call->getNumArgs() > 0 ? ", gputest" : "gputest");
      const auto* const binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
      if (const auto known = mutants.find(&node); binary && known != mutants.end())
        compare_binary(*binary, known->second);
      return true;
    });
  }

  void compare_binary(const clang::BinaryOperator& node, const NumberedMutants& mutants) {
    if (node.isAssignmentOp())
      compare_assigned(node, mutants);
    else if (!row_.is_cpp || (is_plain_number(*node.getLHS()) && is_plain_number(*node.getRHS())))
      compare(node, mutants);
  }

  static Types types_of(const clang::BinaryOperator& node) {
    Types types{scalar_name(node.getLHS()->getType()), scalar_name(node.getRHS()->getType()),
                scalar_name(node.getType())};
    if (node.isComparisonOp() || node.isLogicalOp())
      types.result = "int";
    return types;
  }

  // Returns the mutant's operator, between the original's operands; empty: the mutant is not
  // compared.
  static std::string operator_of(const clang::BinaryOperator& node, const Types& types,
                                 const Proposal& mutant, unsigned at) {
    const std::string other = swapped_operator(mutant, at);
    static const std::set<std::string> kCompares{"<", "<=", ">", ">=", "==", "!="};
    static const std::set<std::string> kReal{"+", "-", "*", "/"};
    static const std::set<std::string> kWhole{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
    static const std::set<std::string> kLogical{"&&", "||"};
    if (node.isComparisonOp())
      return kCompares.contains(other) ? other : "";
    if (node.isLogicalOp())
      return kLogical.contains(other) ? other : "";
    if (is_real(types.left))
      return kReal.contains(other) ? other : "";
    if (!kWhole.contains(other))
      return "";
    // Shifts are computed in the type of the left operand, others in the common type of both.
    const bool shifts = other == "<<" || other == ">>";
    const auto own = [](const clang::Expr& operand) {
      return promoted(scalar_name(operand.IgnoreParenImpCasts()->getType()));
    };
    if (shifts != node.isShiftOp() &&
        (own(*node.getLHS()) != types.result || own(*node.getRHS()) != types.result))
      return "";
    return other;
  }

  // In C++ operands of && and || are bool, whatever the author writes.
  bool is_compared(const clang::BinaryOperator& node, const Types& types) const {
    if (row_.is_cpp && node.isLogicalOp())
      return true;
    return !promoted(types.left).empty() && !promoted(types.right).empty() &&
           !promoted(types.result).empty();
  }

  void compare(const clang::BinaryOperator& node, const NumberedMutants& mutants) {
    const Types types = types_of(node);
    const std::string own = node.getOpcodeStr().str();
    const unsigned at = tree_.offset(node.getOperatorLoc());
    const unsigned begin = tree_.begin(node.getSourceRange());
    const unsigned end = tree_.end(node.getSourceRange());
    if (node.isAssignmentOp() || node.isCommaOp() || !is_compared(node, types) || at < begin ||
        tree_.source().text.compare(at, own.size(), own) != 0 ||
        (node.isLogicalOp() && may_fault(*node.getRHS())))
      return;
    std::string comparisons;
    for (const auto& [mutant, number] : mutants) {
      if (mutant->manner != Manner::Expression)
        continue;
      const std::string other = operator_of(node, types, *mutant, at);
      if (other.empty())
        continue;
      comparisons += comparison(types, other);
      found_.bits[number] = {bits_++, !is_real(types.result)};
    }
    if (comparisons.empty())
      return;
    const std::string value = fmt::format("value = a {} b;", own);
    const std::string name =
        row_.is_cpp
            ? add_function(
                  fmt::format("template <typename A, typename B> {} auto {{}}(A a, B b)", kInCpp),
                  "const auto " + value, comparisons)
            : add_function(fmt::format("GPUTEST_STATIC {} {{}}(__global uint* gputest, {} a, {} b)",
                                       types.result, types.left, types.right),
                           fmt::format("const {} {}", types.result, value), comparisons);
    edits_.around(begin, end, name + "(" + state_, ")");
    edits_.replace(at, at + static_cast<unsigned>(own.size()), ",");
  }

  // Computes the expression once more with each mutant in it. Those that have an operand with
  // floating-point numbers prove nothing, because compilers may fuse its operations.
  void compare_values(const clang::Expr& node, const NumberedMutants& mutants) {
    const unsigned begin = tree_.begin(node.getSourceRange());
    const unsigned end = tree_.end(node.getSourceRange());
    if (begin >= end || mutants.size() * (end - begin) > kMostCopied)
      return;
    const bool proves = !frontend::any_of(node, [](const clang::Stmt& part) {
      const auto* const operand = llvm::dyn_cast<clang::Expr>(&part);
      return operand && operand->getType()->isRealFloatingType();
    });
    const std::string type = scalar_name(node.getType());
    std::string types, parameters, comparisons, values;
    for (const auto& [mutant, number] : mutants) {
      const std::string other = fmt::format("other_{}", bits_);
      types += fmt::format(", typename T_{}", bits_);
      parameters += row_.is_cpp ? fmt::format(", T_{} {}", bits_, other)
                                : fmt::format(", {} {}", type, other);
      values += fmt::format(", ({})", changed_text(begin, end, *mutant));
      comparisons += beginning_of_line() + difference(type, other) + "\n";
      found_.bits[number] = {bits_++, proves};
    }
    const std::string name =
        row_.is_cpp
            ? add_function(fmt::format("template <typename T{}> {} T {{}}(T value{})", types,
                                       kInCpp, parameters),
                           "", comparisons)
            : add_function(fmt::format("GPUTEST_STATIC {} {{}}(__global uint* gputest, {} value{})",
                                       type, type, parameters),
                           "", comparisons);
    edits_.around(begin, end, name + "(" + state_ + "(", ")" + values + ")");
  }

  // The text of the original with the change of a mutant.
  std::string changed_text(unsigned begin, unsigned end, const Proposal& mutant) const {
    const std::string& source = tree_.source().text;
    std::string text;
    unsigned at = begin;
    for (const Replacement& change : mutant.patch) {
      text += source.substr(at, change.begin - at);
      for (const Part& part : change.parts) {
        const unsigned from = part.node ? tree_.begin(part.node->getSourceRange()) : 0;
        text += part.node ? source.substr(from, tree_.end(part.node->getSourceRange()) - from)
                          : part.text;
      }
      at = change.end;
    }
    text += source.substr(at, end - at);
    std::ranges::replace(text, '\n', ' ');
    return text;
  }

  // "int" for bool, with which C++ computes so.
  std::string operand_name(clang::QualType type) const {
    return row_.is_cpp && type->isBooleanType() ? "int" : scalar_name(type);
  }

  // x += y as x = f(x, y), which computes what mutants assign, too, and whether x changes.
  void compare_assigned(const clang::BinaryOperator& node, const NumberedMutants& mutants) {
    const clang::Expr& target = *node.getLHS();
    const clang::Expr& assigned_value = *node.getRHS()->IgnoreParenImpCasts();
    const std::string left = operand_name(target.getType()),
                      right = operand_name(assigned_value.getType());
    const std::string own = node.getOpcodeStr().str();
    const unsigned begin = tree_.begin(node.getSourceRange()),
                   end = tree_.end(node.getSourceRange()), at = tree_.offset(node.getOperatorLoc());
    const ValueBefore before = node.getOpcode() == clang::BO_Assign
                                   ? value_before(target, row_.is_cpp)
                                   : ValueBefore::Known; // the original reads it
    if (before == ValueBefore::None || promoted(left).empty() || promoted(right).empty() ||
        target.getType().isVolatileQualified() || !has_no_effect(target) ||
        target.refersToBitField() || llvm::isa<clang::InitListExpr>(assigned_value) || at < begin ||
        at - begin > kMostCopied || tree_.source().text.compare(at, own.size(), own) != 0)
      return;
    std::string comparisons;
    for (const auto& [mutant, number] : mutants) {
      if (mutant->manner == Manner::Deletion) {
        comparisons += beginning_of_line() + difference(left, "a") + "\n";
      } else {
        const std::string other =
            mutant->manner == Manner::Expression ? swapped_operator(*mutant, at) : "";
        if (other.empty() || other.back() != '=')
          continue;
        comparisons += beginning_of_line() + assigned(left, right, other);
      }
      found_.bits[number] = {bits_++,
                             before == ValueBefore::Known && !is_real(left) && !is_real(right)};
    }
    if (comparisons.empty())
      return;
    const std::string head =
        row_.is_cpp ? fmt::format("template <typename L, typename R> {} L {{}}(L a, R b)", kInCpp)
                    : fmt::format("GPUTEST_STATIC {} {{}}(__global uint* gputest, {} a, {} b)",
                                  left, left, right);
    const std::string name = add_function(
        head, fmt::format("{} value = a; value {} b;", row_.is_cpp ? "L" : left, own), comparisons);
    std::string copy =
        tree_.source().text.substr(begin, tree_.end(target.getSourceRange()) - begin);
    std::ranges::replace(copy, '\n', ' ');
    edits_.replace(at, at + static_cast<unsigned>(own.size()),
                   fmt::format("= {}({}{}, ", name, state_, copy));
    edits_.after(end, ")");
  }

  std::string assigned(const std::string& left, const std::string& right,
                       const std::string& other) const {
    std::string text;
    if ((other == "/=" || other == "%=") && !is_real(left) && !is_real(right)) {
      if (row_.is_cpp)
        return fmt::format("{} {{ L other = a; other {} b; {} }}\n", no_quotient_in_cpp(), other,
                           difference(left, "other"));
      text = no_quotient(promoted(left));
      if (promoted(right) != promoted(left))
        text += no_quotient(promoted(right));
    }
    return text + fmt::format("{{ {} other = a; other {} b; {} }}\n", row_.is_cpp ? "L" : left,
                              other, difference(left, "other"));
  }

  // What records a division that has no result, before `else`.
  std::string no_quotient(const std::string& type) const {
    std::string text = fmt::format("if (b == 0) {} else ", record());
    if (type == "int" || type == "long")
      text += fmt::format("if (b == -1 && a == {}) {} else ",
                          type == "int" ? "INT_MIN" : "LONG_MIN", record());
    return text;
  }

  std::string no_quotient_in_cpp() const {
    return fmt::format("if (gputest_has_no_quotient<decltype(a / b)>(a, b)) {} else", record());
  }

  std::string record() const { return fmt::format("gputest_differs({}{}u);", state_, bits_); }
  std::string beginning_of_line() const {
    return fmt::format("#line {} \"{}\"\n", bits_ + 1, kDifferencesFile);
  }
  // Records that `value` is not `other`.
  std::string difference(const std::string& type, const std::string& other) const {
    if (row_.is_cpp)
      return fmt::format("if (gputest_is_other(value, decltype(value)({}))) {}", other, record());
    if (is_real(type))
      return fmt::format("if (GPUTEST_OTHER_REAL({}, value, {})) {}",
                         type == "float" ? "as_uint" : "as_ulong", other, record());
    return fmt::format("if (value != {}) {}", other, record());
  }

  // Returns the name of a new function. `head` has a place for it.
  std::string add_function(const std::string& head, const std::string& value,
                           const std::string& comparisons) {
    std::string name = fmt::format("gputest_compare_{}", functions_++);
    helpers_ += fmt::format("#line 1 \"{}\"\n{} {{ {}\n{} return value; }}\n", kDifferencesFile,
                            fmt::format(fmt::runtime(head), name), value, comparisons);
    return name;
  }

  // All of it in one line: that of the mutant's bit.
  std::string comparison(const Types& types, const std::string& other) const {
    const bool divides = (other == "/" || other == "%") && !is_real(types.result);
    if (row_.is_cpp)
      return beginning_of_line() + (divides ? no_quotient_in_cpp() + " " : "") +
             fmt::format("if (gputest_is_other(value, a {} b)) {}\n", other, record());
    if (is_real(types.result))
      return beginning_of_line() + fmt::format("{{ const {} other = a {} b; {} }}\n", types.result,
                                               other, difference(types.result, "other"));
    return beginning_of_line() + (divides ? no_quotient(types.result) : "") +
           difference(types.result, fmt::format("(a {} b)", other)) + "\n";
  }

  const frontend::Tree& tree_;
  std::set<const clang::FunctionDecl*> kept_; // of no kernel
  const model::LanguageRow& row_ = model::row_of(tree_.language());
  const std::string state_ = row_.has_context ? "gputest, " : ""; // of calls
  Differences found_;
  frontend::Edits edits_;
  std::string helpers_;
  unsigned bits_ = 0, functions_ = 0;
};

} // namespace

Differences show_differences(const frontend::Tree& tree, const MutantsOfNodes& mutants) {
  return Writer(tree).run(mutants);
}

Differences show_differences(const frontend::Tree& tree, const MutantsOfNodes& mutants,
                             const std::vector<const clang::FunctionDecl*>& functions) {
  return Writer(tree).run(mutants, functions);
}

} // namespace gputest::passes::mutation
