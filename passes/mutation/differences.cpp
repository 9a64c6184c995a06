// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/differences.h"

#include "embedded/differences_cuh.h"
#include "embedded/state_h.h"
#include "embedded/storage_cl.h"
#include "frontend/walk.h"
#include "passes/cuda_state.h"
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

bool may_fault(const clang::Expr& expression) {
  return any_of(expression, [](const clang::Stmt& node) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node))
      return binary->isAssignmentOp() || binary->getOpcode() == clang::BO_Div ||
             binary->getOpcode() == clang::BO_Rem;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node))
      return unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_Deref;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node))
      return member->isArrow();
    return llvm::isa<clang::ArraySubscriptExpr, clang::CallExpr, clang::StmtExpr, clang::AtomicExpr,
                     clang::CXXConstructExpr, clang::LambdaExpr>(node);
  });
}

// Whether a C++ operand is a number as the author wrote it, which a function takes by value.
bool is_plain_number(const clang::Expr& operand) {
  return operand.IgnoreImplicitAsWritten()->getType()->isArithmeticType() &&
         !operand.IgnoreParenImpCasts()->refersToBitField();
}

// The types of an operator's operands, and of what it computes.
struct Types {
  std::string left, right, result;
};

class Writer {
public:
  explicit Writer(const Tree& tree) : tree_(tree) {}

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
  using Mutants = std::vector<std::pair<const Proposal*, unsigned>>; // with their numbers

  bool is_ours(const clang::FunctionDecl& function) const {
    return is_wrapper(function) ||
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
    walk(*function.getBody(), [&](const clang::Stmt& node) {
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
        if (const clang::FunctionDecl* callee = call->getDirectCallee(); callee && is_ours(*callee))
          edits_.before(tree_.offset(call->getRParenLoc()),
                        call->getNumArgs() > 0 ? ", gputest" : "gputest");
      const auto site = sites.find(&node);
      const auto* const binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
      if (!binary || site == sites.end())
        return true;
      Mutants mutants;
      for (std::size_t i = 0; i < site->second.mutants.size(); ++i)
        if (const unsigned number = site->second.first + static_cast<unsigned>(i);
            is_wanted(number))
          mutants.emplace_back(site->second.mutants[i], number);
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

  void compare(const clang::BinaryOperator& node, const Mutants& mutants) {
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
    const std::string name = fmt::format("gputest_compare_{}", functions_++);
    if (row_.is_cpp)
      helpers_ +=
          fmt::format("#line 1 \"{}\"\ntemplate <typename A, typename B> static __host__ "
                      "__device__ __forceinline__ auto {}(A a, B b) {{ const auto value = a "
                      "{} b;\n{} return value; }}\n",
                      kDifferencesFile, name, own, comparisons);
    else
      helpers_ +=
          fmt::format("#line 1 \"{}\"\nGPUTEST_STATIC {} {}(__global uint* gputest, {} a, {} b) {{ "
                      "const {} value = a {} b;\n{} return value; }}\n",
                      kDifferencesFile, types.result, name, types.left, types.right, types.result,
                      own, comparisons);
    edits_.around(begin, end, name + "(" + state_, ")");
    edits_.replace(at, at + static_cast<unsigned>(own.size()), ",");
  }

  // All of it in one line: that of the mutant's bit.
  std::string comparison(const Types& types, const std::string& other) const {
    const std::string record = fmt::format("gputest_differs({}{}u);", state_, bits_);
    std::string text = fmt::format("#line {} \"{}\"\n", bits_ + 1, kDifferencesFile);
    if (row_.is_cpp) {
      if ((other == "/" || other == "%") && !is_real(types.result))
        text += fmt::format("if (gputest_has_no_quotient<decltype(a / b)>(a, b)) {} else ", record);
      return text + fmt::format("if (gputest_is_other(value, a {} b)) {}\n", other, record);
    }
    if (is_real(types.result))
      return text + fmt::format("{{ const {0} other = a {1} b; if (GPUTEST_OTHER_REAL({2}, value, "
                                "other)) {3} }}\n",
                                types.result, other,
                                types.result == "float" ? "as_uint" : "as_ulong", record);
    if (other == "/" || other == "%") {
      text += fmt::format("if (b == 0) {} else ", record);
      if (types.result == "int" || types.result == "long")
        text += fmt::format("if (b == -1 && a == {}) {} else ",
                            types.result == "int" ? "INT_MIN" : "LONG_MIN", record);
    }
    return text + fmt::format("if (value != (a {} b)) {}\n", other, record);
  }

  const Tree& tree_;
  const model::LanguageRow& row_ = model::row_of(tree_.language());
  const std::string state_ = row_.has_context ? "gputest, " : ""; // of calls
  Differences found_;
  Edits edits_;
  std::string helpers_;
  unsigned bits_ = 0, functions_ = 0;
};

} // namespace

Differences show_differences(const Tree& tree, const Renderer::Sites& sites,
                             const std::function<bool(unsigned)>& is_wanted) {
  return Writer(tree).run(sites, is_wanted);
}

Differences show_differences(const Tree& tree, const std::vector<ComparedOperator>& operators) {
  return Writer(tree).run(operators);
}

} // namespace gputest::passes::mutation
