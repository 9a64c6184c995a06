// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/renderer.h"

#include "frontend/walk.h"
#include "passes/mutation/constant_expressions.h"
#include "passes/nodes.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace gputest::passes::mutation {

constexpr unsigned kCopied = 400; // bytes of an operand that may be copied beside it

// The type in which `left op= right` is computed. Shifts are computed in the promoted type of
// `left`. Empty if one operand is no scalar.
struct Computation {
  std::string type, shifted;
};
static Computation computation(const std::string& left, const std::string& right) {
  static const std::map<std::string, std::string> promoted{
      {"char", "int"},  {"uchar", "int"},   {"short", "int"},    {"ushort", "int"},
      {"int", "int"},   {"uint", "uint"},   {"long", "long"},    {"ulong", "ulong"},
      {"half", "half"}, {"float", "float"}, {"double", "double"}};
  static const std::vector<std::string> ranks{"int",  "uint",  "long",  "ulong",
                                              "half", "float", "double"};
  const auto a = promoted.find(left), b = promoted.find(right);
  if (a == promoted.end() || b == promoted.end())
    return {};
  const bool wider = std::ranges::find(ranks, b->second) > std::ranges::find(ranks, a->second);
  return {wider ? b->second : a->second, a->second};
}

// Of two such expressions only one is evaluated, so a compiler merges both into one access of
// either place. PoCL 3.1 cannot link that.
static bool is_launch_size(const clang::Expr& node) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
  const llvm::StringRef name = call ? builtin_name(*call) : "";
  return name == "get_global_size" || name == "get_num_groups";
}

std::string Renderer::plain(const clang::Expr& node) {
  const auto found = plain_.find(&node);
  if (found != plain_.end())
    return found->second;
  return plain_[&node] = original(node, Mode::Plain, nullptr);
}

std::string Renderer::expression(const clang::Expr& node, Mode mode) {
  if (mode == Mode::Plain)
    return plain(node);
  const auto site = sites_.find(&node);
  if (site == sites_.end() || !site->second.number_of(Manner::Expression))
    return original(node, mode, nullptr);
  return switched(node, site->second);
}

bool has_neighbours(const clang::Expr& node, const MutationSite& site) {
  const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(&node);
  if (!literal || scalar_name(node.getType()) != "int" || site.mutants.size() != 2)
    return false;
  const auto value = static_cast<std::int64_t>(literal->getValue().getZExtValue());
  for (const auto& [mutant, neighbour] :
       {std::pair(site.mutants[0], value + 1), std::pair(site.mutants[1], value - 1)}) {
    const std::string digits = std::to_string(neighbour);
    const std::vector<Replacement>& patch = mutant->patch;
    if (mutant->manner != Manner::Expression || patch.size() != 1 ||
        patch.front().parts.size() != 1 || patch.front().parts.front().node ||
        patch.front().parts.front().text != (neighbour < 0 ? "(" + digits + ")" : digits))
      return false;
  }
  return value < std::numeric_limits<std::int32_t>::max();
}

std::string Renderer::switched(const clang::Expr& node, const MutationSite& site) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node); binary)
    for (const auto way : {&Renderer::arithmetic, &Renderer::assignment, &Renderer::contracted})
      if (auto text = (this->*way)(*binary, site))
        return std::move(*text);
  if (is_launch_size(node))
    return either(node, site);
  if (has_neighbours(node, site))
    return fmt::format("GPUTEST_NEAR({}, {}, {})", site.first, site.index,
                       original(node, Mode::Switched, nullptr));
  std::string choices, last;
  for (std::size_t i = 0; i < site.mutants.size(); ++i) {
    if (site.mutants[i]->manner != Manner::Expression)
      continue;
    if (!last.empty())
      choices += last;
    const std::string text = in_one_line(original(node, Mode::Plain, site.mutants[i]));
    last = fmt::format("GPUTEST_IS({}) ? ({}) : ", site.first + i, text);
  }
  last = last.substr(last.find(" ? ") + 3); // no question is left
  last.resize(last.size() - 3);
  return choice(node, site, choices + last, original(node, Mode::Switched, nullptr));
}

std::string Renderer::either(const clang::Expr& node, const MutationSite& site) {
  std::string mutants;
  for (std::size_t i = site.mutants.size(); i-- > 0;) {
    if (site.mutants[i]->manner != Manner::Expression)
      continue;
    const std::string text = in_one_line(original(node, Mode::Plain, site.mutants[i]));
    mutants = mutants.empty() ? text
                              : fmt::format("gputest_either(GPUTEST_IS({}), {}, {})",
                                            site.first + i, text, mutants);
  }
  return fmt::format("gputest_either({}, {}, {})", pick(site), mutants,
                     original(node, Mode::Switched, nullptr));
}

std::string swapped_operator(const Proposal& mutant, unsigned at) {
  std::string result;
  for (const Replacement& change : mutant.patch) {
    if (change.parts.size() != 1 || change.parts.front().node)
      return {};
    const std::string& text = change.parts.front().text;
    if (change.begin == at && change.end > at)
      result = text;
    else if (change.begin != change.end || (text != "(" && text != ")"))
      return {};
  }
  return result;
}

// "+" of "+=". Not for comparisons.
static std::string plain_operator(std::string operation) {
  if (operation.size() > 1 && operation.back() == '=')
    operation.pop_back();
  return operation;
}

// Codes of the operators of a site's mutants, see Helpers::binary. nullopt if they change more than
// that.
std::optional<std::uint64_t> Renderer::codes_of(const clang::BinaryOperator& node,
                                                const MutationSite& site) const {
  const bool comparison = node.isComparisonOp();
  const auto code_of = [&](const std::string& operation) -> std::uint64_t {
    return Helpers::code_of(comparison ? operation : plain_operator(operation), comparison);
  };
  const unsigned at = tree_.offset(node.getOperatorLoc());
  std::uint64_t codes = code_of(node.getOpcodeStr().str());
  if (codes == 0 || site.mutants.size() > 15)
    return std::nullopt;
  for (std::size_t i = 0; i < site.mutants.size(); ++i) {
    if (site.mutants[i]->manner == Manner::Deletion)
      continue;
    const std::uint64_t code = code_of(swapped_operator(*site.mutants[i], at));
    if (code == 0)
      return std::nullopt;
    codes |= code << (4 * (i + 1));
  }
  return codes;
}

// Arithmetic, comparisons and assignments of scalars have functions, so that operands are not
// copied many times. Most mutants are of this kind, and a device's compiler takes time for each
// copy.
std::optional<std::string> Renderer::arithmetic(const clang::BinaryOperator& node,
                                                const MutationSite& site) {
  static const std::set<std::string> kTypes{"int",   "uint",   "long", "ulong",
                                            "float", "double", "half"};
  const std::string type = scalar_name(node.getLHS()->getType());
  const bool shift = node.isShiftOp();
  const bool same = type == scalar_name(node.getRHS()->getType()) ||
                    (shift && !scalar_name(node.getRHS()->getType()).empty());
  const std::optional<std::uint64_t> codes = codes_of(node, site);
  if (!kTypes.contains(type) || !same || !codes || node.isAssignmentOp())
    return std::nullopt;
  const bool comparison = node.isComparisonOp();
  const std::string operation = node.getOpcodeStr().str();
  std::string prefix =
      fmt::format("{}(gputest, {}, {}, {:#x}ul, {}, ", helpers_.binary(type, operation, comparison),
                  site.first, site.mutants.size(), *codes, site.index);
  if (!comparison)
    prefix += fmt::format("{}, ", is_integer(node.getType())
                                      ? guards_.number(node, function_->getNameAsString())
                                      : 0);
  const unsigned at = tree_.offset(node.getOperatorLoc());
  Pieces all = pieces(node, Mode::Switched, nullptr, Division::Unchecked);
  all.push_back({at, at + static_cast<unsigned>(operation.size()), ","});
  return prefix + compose(begin(node), end(node), std::move(all)) + ")";
}

std::optional<std::string> Renderer::assignment(const clang::BinaryOperator& node,
                                                const MutationSite& site) {
  if (!node.isAssignmentOp() || !has_no_effect(*node.getLHS()))
    return std::nullopt;
  const std::string type = scalar_name(node.getLHS()->getType());
  const auto [common, shifted] =
      computation(type, scalar_name(node.getRHS()->IgnoreParenImpCasts()->getType()));
  std::optional<std::uint64_t> codes = codes_of(node, site);
  if (common.empty() || !codes)
    return std::nullopt;
  if (Helpers::is_signed(shifted) && (common == "uint" || common == "ulong"))
    codes = Helpers::with_signed_shifts(*codes);
  const std::string left = in_one_line(plain(*node.getLHS()->IgnoreImplicit()));
  const std::string right = in_one_line(plain(*node.getRHS()->IgnoreImplicit()));
  const std::string mutants = fmt::format(
      "({} = ({}){}(gputest->state, GPUTEST_WHICH({}), {:#x}ul, {}, {}, {}, ({})({}), ({})({})))",
      left, type, helpers_.rare(common), site.first, *codes, site.index,
      is_integer(node.getLHS()->getType()) ? guards_.number(node, function_->getNameAsString()) : 0,
      Helpers::shift_mask(shifted), common, left, common, right);
  return choice(node, site, mutants, original(node, Mode::Switched, nullptr));
}

// A sum with a product. Compilers make one instruction of it, so it has the mutants of both.
std::optional<std::string> Renderer::contracted(const clang::BinaryOperator& node,
                                                const MutationSite& site) {
  const bool assigns = node.isCompoundAssignmentOp();
  const auto product_of = [](const clang::Expr& operand) {
    const auto* product = llvm::dyn_cast<clang::BinaryOperator>(operand.IgnoreParens());
    return product && product->getOpcode() == clang::BO_Mul ? product : nullptr;
  };
  const auto* product = product_of(*node.getRHS());
  const bool first = !product && !assigns;
  if (first)
    product = product_of(*node.getLHS());
  const clang::Expr& other = first ? *node.getRHS() : *node.getLHS();
  const std::string type = scalar_name(node.getType());
  if (!product || !Helpers::is_real(type) || (assigns && !has_no_effect(other)) ||
      site.mutants.size() > Helpers::kMostOfSum)
    return std::nullopt;
  for (const clang::Expr* operand :
       std::initializer_list<const clang::Expr*>{&other, product->getLHS(), product->getRHS()})
    if (scalar_name(operand->getType()) != type)
      return std::nullopt;

  const std::string sum = plain_operator(node.getOpcodeStr().str());
  const auto original_code = Helpers::code_of_sum(sum, "*");
  if (!original_code)
    return std::nullopt;
  std::uint64_t codes = *original_code;
  for (std::size_t i = 0; i < site.mutants.size(); ++i) {
    const Proposal& mutant = *site.mutants[i];
    if (mutant.manner == Manner::Deletion)
      continue;
    const std::string outer =
        plain_operator(swapped_operator(mutant, tree_.offset(node.getOperatorLoc())));
    const std::string inner = swapped_operator(mutant, tree_.offset(product->getOperatorLoc()));
    const auto code =
        Helpers::code_of_sum(outer.empty() ? sum : outer, inner.empty() ? "*" : inner);
    if (!code || outer.empty() == inner.empty())
      return std::nullopt;
    codes |= *code << (Helpers::kBitsOfSum * (i + 1));
  }
  // A sum of many products would be copied once for each of them. So it is computed ahead, which
  // changes no result: the sum of a sum and a product is one instruction even so.
  Pieces all;
  std::string ahead, value;
  const auto* sum_before = llvm::dyn_cast<clang::BinaryOperator>(other.IgnoreParens());
  if (!first && !assigns && sum_before && sum_before->isAdditiveOp() &&
      end(other) - begin(other) > kCopied && !site.number_of(Manner::Deletion)) {
    all = pieces(node, Mode::Switched, nullptr);
    const auto piece = std::ranges::find(all, begin(*other.IgnoreImplicit()), &Piece::begin);
    if (piece != all.end() && piece->end == end(*other.IgnoreImplicit())) {
      value = fmt::format("gputest_sum_{}", site.index);
      ahead = fmt::format("{} = {}, ", value, std::exchange(piece->text, value));
      variables_ += fmt::format(" {} {};", type, value);
    }
  }
  const auto text_of = [&](const clang::Expr& operand) {
    return in_one_line(plain(*operand.IgnoreImplicit()));
  };
  // In this order, because guards get their numbers here.
  const std::string left = ahead.empty() ? text_of(other) : value;
  const std::string factor = text_of(*product->getLHS());
  const std::string by = text_of(*product->getRHS());
  const std::string mutants = fmt::format(
      "{}(gputest->state, GPUTEST_WHICH({}), {:#x}ul, {}, ({})({}), ({})({}), ({})({}))",
      helpers_.rare_sum(type, first), site.first, codes, site.index, type, left, type, factor, type,
      by);
  if (!ahead.empty())
    return fmt::format(
        "({}{})", ahead,
        choice(node, site, mutants, compose(begin(node), end(node), std::move(all))));
  return choice(node, site, assigns ? fmt::format("({} = {})", left, mutants) : mutants,
                original(node, Mode::Switched, nullptr));
}

// The text of a node with its guards, and with the change of `mutant` if it is given.
std::string Renderer::original(const clang::Expr& node, Mode mode, const Proposal* mutant) {
  if (const auto* deferred = llvm::dyn_cast<clang::BlockExpr>(&node))
    return block(*deferred, mode);
  return compose(begin(node), end(node), pieces(node, mode, mutant));
}

Renderer::Pieces Renderer::pieces(const clang::Expr& node, Mode mode, const Proposal* mutant,
                                  Division division) {
  const unsigned from = begin(node), to = end(node);
  Pieces result;
  // Children in order. If they are not in order, as in initialisers that name elements, the text
  // stays as it is.
  for (const clang::Stmt* child : node.children()) {
    const auto* whole = llvm::dyn_cast_or_null<clang::Expr>(child);
    if (!whole || llvm::isa<clang::OpaqueValueExpr>(whole) || is_constant_operand(*whole))
      continue;
    const clang::Expr& operand = *whole->IgnoreImplicit();
    if (operand.getBeginLoc().isInvalid() ||
        llvm::isa<clang::ImplicitValueInitExpr, clang::OpaqueValueExpr>(operand))
      continue;
    const unsigned first = begin(operand), last = end(operand);
    const bool is_callee =
        llvm::isa<clang::CallExpr>(node) && child == llvm::cast<clang::CallExpr>(node).getCallee();
    if (is_callee)
      continue;
    if (first < from || last > to || (!result.empty() && first < result.back().end)) {
      const bool twice =
          !result.empty() && first >= result.front().begin && last <= result.back().end;
      if (!twice)
        leave_unguarded(node, "its parts are not in order");
      continue;
    }
    result.push_back({first, last, {}});
    // A part that the mutant itself changes is not needed twice.
    const bool within =
        mutant && std::ranges::any_of(mutant->patch, [&](const Replacement& change) {
          return change.begin <= first && last <= change.end && change.begin < change.end;
        });
    const bool holds =
        mutant && !within && std::ranges::any_of(mutant->patch, [&](const Replacement& change) {
          return first <= change.begin && change.end <= last &&
                 !(change.begin == from && change.end == from) &&
                 !(change.begin == to && change.end == to) && change.begin < change.end;
        });
    result.back().text = within  ? ""
                         : holds ? original(operand, Mode::Plain, mutant)
                                 : expression(operand, mode);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&node);
        choice && child == choice->getCond() && vote_of_.contains(child))
      result.back().text = condition(*choice->getCond(), result.back().text);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
        binary && binary->isLogicalOp() && child == binary->getLHS() && vote_of_.contains(child))
      result.back().text = condition(*binary->getLHS(), result.back().text);
  }
  guard_pieces(node, mode, result);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
      binary && division == Division::Checked)
    division_pieces(*binary, mutant, result);
  if (!mutant)
    return result;
  for (const Replacement& change : mutant->patch) {
    const bool inserted = change.begin == change.end;
    if (change.begin < from || change.end > to || (inserted && mutant->node != &node))
      continue; // of another node
    const bool deeper = std::ranges::any_of(result, [&](const Piece& piece) {
      return piece.begin <= change.begin && change.end <= piece.end && change.begin < change.end &&
             !(piece.begin == change.begin && piece.end == change.end && piece.text.empty()) &&
             piece.begin < piece.end;
    });
    if (deeper)
      continue; // an operand already has it
    std::string text;
    for (const Part& part : change.parts)
      text += part_text(part, true);
    std::erase_if(result, [&](const Piece& piece) {
      return change.begin < change.end && piece.begin >= change.begin && piece.end <= change.end;
    });
    if (change.begin == from && change.end == from) { // around all of it
      result.insert(result.begin(), {from, from, text});
    } else {
      result.push_back({change.begin, change.end, text});
    }
  }
  return result;
}

std::string Renderer::part_text(const Part& part, bool guarded) {
  if (!part.node)
    return part.text;
  const std::string text = in_one_line(plain(*part.node));
  return guarded && part.accessed ? accessed(*part.node, *part.node, text, Mode::Plain) : text;
}

} // namespace gputest::passes::mutation
