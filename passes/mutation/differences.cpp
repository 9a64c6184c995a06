// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/differences.h"

#include "embedded/differences_cuh.h"
#include "embedded/state_h.h"
#include "embedded/storage_cl.h"
#include "frontend/walk.h"
#include "passes/cuda_state.h"
#include "passes/mutation/outer_values.h"
#include "passes/mutation/renderer.h"
#include "passes/nodes.h"
#include "passes/parameters.h"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <fmt/format.h>
#include <set>

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

// Memory that others may have written.
bool is_shared(clang::QualType type) {
  return type.getAddressSpace() == clang::LangAS::opencl_global ||
         type.getAddressSpace() == clang::LangAS::opencl_local;
}

// The types of an operator's operands, and of what it computes.
struct Types {
  std::string left, right, result;
};

class Writer {
public:
  explicit Writer(const frontend::Tree& tree) : tree_(tree) {}

  Differences run(const Renderer::Sites& sites, const std::function<bool(unsigned)>& is_wanted) {
    for (const clang::Decl* declaration : tree_.context().getTranslationUnitDecl()->decls())
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
          function && is_ours(*function))
        rewrite(*function, sites, is_wanted);
    found_.words = (bits_ + 31) / 32;
    found_.text = fmt::format("{}{}{}{}{}", embedded::state_h, embedded::storage_cl, kPrelude,
                              helpers_, edits_.apply(tree_.source().text));
    return std::move(found_);
  }

  Differences run(const std::vector<ComparedOperator>& operators) {
    for (const ComparedOperator& one : operators)
      if (is_plain_number(*one.node->getLHS()) && is_plain_number(*one.node->getRHS()))
        compare(*one.node, one.mutants);
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
    return frontend::is_wrapper(function) ||
           std::ranges::any_of(tree_.functions(), [&](const clang::FunctionDecl* own) {
             return own->getCanonicalDecl() == function.getCanonicalDecl();
           });
  }

  // The state buffer itself is passed on, so that each place that records names it.
  void rewrite(const clang::FunctionDecl& function, const Renderer::Sites& sites,
               const std::function<bool(unsigned)>& is_wanted) {
    add_parameter(tree_, function, "__global uint* gputest", edits_);
    if (!function.doesThisDeclarationHaveABody())
      return;
    const auto outer = outer_values(function, sites, is_wanted);
    frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
      if (const auto seen = outer.find(&node); seen != outer.end()) // around what is below it
        compare_values(llvm::cast<clang::Expr>(node), seen->second);
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
        if (const clang::FunctionDecl* callee = call->getDirectCallee(); callee && is_ours(*callee))
          edits_.before(tree_.offset(call->getRParenLoc()),
                        call->getNumArgs() > 0 ? ", gputest" : "gputest");
      const auto site = sites.find(&node);
      const auto* const binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
      if (!binary || site == sites.end())
        return true;
      NumberedMutants mutants;
      for (std::size_t i = 0; i < site->second.mutants.size(); ++i)
        if (const unsigned number = site->second.first + static_cast<unsigned>(i);
            is_wanted(number))
          mutants.emplace_back(site->second.mutants[i], number);
      if (binary->isAssignmentOp())
        compare_assigned(*binary, mutants);
      else
        compare(*binary, mutants);
      return true;
    });
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
            ? add_function("template <typename A, typename B> static __host__ __device__ "
                           "__forceinline__ auto {}(A a, B b)",
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
    if (row_.is_cpp || begin >= end || mutants.size() * (end - begin) > kMostCopied)
      return;
    const bool proves = !frontend::any_of(node, [](const clang::Stmt& part) {
      const auto* const operand = llvm::dyn_cast<clang::Expr>(&part);
      return operand && operand->getType()->isRealFloatingType();
    });
    const std::string type = scalar_name(node.getType());
    std::string parameters, comparisons, values;
    for (const auto& [mutant, number] : mutants) {
      const std::string other = fmt::format("other_{}", bits_);
      parameters += fmt::format(", {} {}", type, other);
      values += fmt::format(", ({})", changed_text(begin, end, *mutant));
      comparisons += beginning_of_line() + difference(type, other) + "\n";
      found_.bits[number] = {bits_++, proves};
    }
    const std::string name =
        add_function(fmt::format("GPUTEST_STATIC {} {{}}(__global uint* gputest, {} value{})", type,
                                 type, parameters),
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

  // x += y as x = f(x, y), which computes what mutants assign, too. A variable may have no value
  // before x = y, but memory of others has.
  void compare_assigned(const clang::BinaryOperator& node, const NumberedMutants& mutants) {
    const clang::Expr& target = *node.getLHS();
    const std::string left = scalar_name(target.getType()),
                      right = scalar_name(node.getRHS()->IgnoreParenImpCasts()->getType());
    const std::string own = node.getOpcodeStr().str();
    const unsigned begin = tree_.begin(node.getSourceRange()),
                   end = tree_.end(node.getSourceRange()), at = tree_.offset(node.getOperatorLoc());
    if (row_.is_cpp || promoted(left).empty() || promoted(right).empty() ||
        target.getType().isVolatileQualified() || !has_no_effect(target) || at < begin ||
        at - begin > kMostCopied || tree_.source().text.compare(at, own.size(), own) != 0 ||
        (node.getOpcode() == clang::BO_Assign && !is_shared(target.getType())))
      return;
    std::string comparisons;
    for (const auto& [mutant, number] : mutants) {
      const std::string other =
          mutant->manner == Manner::Expression ? swapped_operator(*mutant, at) : "";
      if (other.empty() || other.back() != '=')
        continue;
      comparisons += beginning_of_line() + assigned(left, right, other);
      found_.bits[number] = {bits_++, !is_real(left) && !is_real(right)};
    }
    if (comparisons.empty())
      return;
    const std::string name =
        add_function(fmt::format("GPUTEST_STATIC {} {{}}(__global uint* gputest, {} a, {} b)", left,
                                 left, right),
                     fmt::format("{} value = a; value {} b;", left, own), comparisons);
    std::string copy =
        tree_.source().text.substr(begin, tree_.end(target.getSourceRange()) - begin);
    std::ranges::replace(copy, '\n', ' ');
    edits_.replace(at, at + static_cast<unsigned>(own.size()),
                   fmt::format("= {}(gputest, {}, ", name, copy));
    edits_.after(end, ")");
  }

  std::string assigned(const std::string& left, const std::string& right,
                       const std::string& other) const {
    std::string text;
    if ((other == "/=" || other == "%=") && !is_real(left) && !is_real(right)) {
      text = no_quotient(promoted(left));
      if (promoted(right) != promoted(left))
        text += no_quotient(promoted(right));
    }
    return text + fmt::format("{{ {} other = a; other {} b; {} }}\n", left, other,
                              difference(left, "other"));
  }

  // What records a division that has no result, before `else`.
  std::string no_quotient(const std::string& type) const {
    std::string text = fmt::format("if (b == 0) {} else ", record());
    if (type == "int" || type == "long")
      text += fmt::format("if (b == -1 && a == {}) {} else ",
                          type == "int" ? "INT_MIN" : "LONG_MIN", record());
    return text;
  }

  std::string record() const { return fmt::format("gputest_differs({}{}u);", state_, bits_); }
  std::string beginning_of_line() const {
    return fmt::format("#line {} \"{}\"\n", bits_ + 1, kDifferencesFile);
  }
  // Records that `value` is not `other`.
  std::string difference(const std::string& type, const std::string& other) const {
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
      return beginning_of_line() +
             (divides ? fmt::format("if (gputest_has_no_quotient<decltype(a / b)>(a, b)) {} else ",
                                    record())
                      : "") +
             fmt::format("if (gputest_is_other(value, a {} b)) {}\n", other, record());
    if (is_real(types.result))
      return beginning_of_line() + fmt::format("{{ const {} other = a {} b; {} }}\n", types.result,
                                               other, difference(types.result, "other"));
    return beginning_of_line() + (divides ? no_quotient(types.result) : "") +
           difference(types.result, fmt::format("(a {} b)", other)) + "\n";
  }

  const frontend::Tree& tree_;
  const model::LanguageRow& row_ = model::row_of(tree_.language());
  const std::string state_ = row_.has_context ? "gputest, " : ""; // of calls
  Differences found_;
  frontend::Edits edits_;
  std::string helpers_;
  unsigned bits_ = 0, functions_ = 0;
};

} // namespace

Differences show_differences(const frontend::Tree& tree, const Renderer::Sites& sites,
                             const std::function<bool(unsigned)>& is_wanted) {
  return Writer(tree).run(sites, is_wanted);
}

Differences show_differences(const frontend::Tree& tree,
                             const std::vector<ComparedOperator>& operators) {
  return Writer(tree).run(operators);
}

} // namespace gputest::passes::mutation
