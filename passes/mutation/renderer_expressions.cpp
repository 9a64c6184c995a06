#include "passes/mutation/renderer.h"

#include "passes/walk.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <fmt/format.h>

namespace gputest::passes::mutation {

// The type that `left op right` and `left op= right` are computed in, where both are the same; else
// empty. Shifts are computed in the type of `left`: where that is another, they must be written
// out.
static std::string common_type(const std::string& left, const std::string& right) {
  static const std::map<std::string, std::string> promoted{
      {"char", "int"}, {"uchar", "int"}, {"short", "int"}, {"ushort", "int"},
      {"int", "int"},  {"uint", "uint"}, {"long", "long"}, {"ulong", "ulong"}};
  if (left == right && (left == "float" || left == "double" || left == "half"))
    return left;
  const auto a = promoted.find(left), b = promoted.find(right);
  if (a == promoted.end() || b == promoted.end())
    return {};
  static const std::vector<std::string> ranks{"int", "uint", "long", "ulong"};
  const bool wider = std::ranges::find(ranks, b->second) > std::ranges::find(ranks, a->second);
  return wider ? std::string() : a->second;
}

// Of two of these, one of which is evaluated, a compiler makes one access of two places, which PoCL
// 3.1 does not link.
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
  const auto is_expression = [](const Proposal* mutant) {
    return mutant->manner == Manner::Expression;
  };
  if (site == sites_.end() || std::ranges::none_of(site->second.mutants, is_expression))
    return original(node, mode, nullptr);
  return switched(node, site->second);
}

std::string Renderer::switched(const clang::Expr& node, const Site& site) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node); binary)
    for (const auto way : {&Renderer::arithmetic, &Renderer::assignment})
      if (auto text = (this->*way)(*binary, site))
        return std::move(*text);
  if (is_launch_size(node))
    return either(node, site);
  std::string choices, last;
  for (std::size_t i = 0; i < site.mutants.size(); ++i) {
    if (site.mutants[i]->manner != Manner::Expression)
      continue;
    if (!last.empty())
      choices += last;
    const std::string text = in_one_line(original(node, Mode::Plain, site.mutants[i]));
    last = fmt::format("GPUTEST_IS({}) ? ({}) : ", site.first + i, text);
  }
  last = last.substr(last.find(" ? ") + 3); // nothing is left to ask
  last.resize(last.size() - 3);
  return fmt::format("({} ? {}{} : ({}))", pick(site), choices, last,
                     original(node, Mode::Switched, nullptr));
}

std::string Renderer::either(const clang::Expr& node, const Site& site) {
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

// What the mutants of a site make of its operator, see Helpers::binary. Nothing where they change
// more than that.
std::optional<std::uint64_t> Renderer::codes_of(const clang::BinaryOperator& node,
                                                const Site& site) const {
  const bool comparison = node.isComparisonOp();
  const auto plain_operator = [](std::string operation) {
    if (operation.size() > 1 && operation.back() == '=')
      operation.pop_back();
    return operation;
  };
  const auto code_of = [&](const std::string& operation) -> std::uint64_t {
    return Helpers::code_of(comparison ? operation : plain_operator(operation), comparison);
  };
  const unsigned at = tree_.offset(node.getOperatorLoc());
  std::uint64_t codes = code_of(node.getOpcodeStr().str());
  if (codes == 0 || site.mutants.size() > 15)
    return std::nullopt;
  for (std::size_t i = 0; i < site.mutants.size(); ++i) {
    const std::vector<Replacement>& patch = site.mutants[i]->patch;
    if (site.mutants[i]->manner == Manner::Deletion)
      continue;
    if (patch.size() != 1 || patch.front().begin != at || patch.front().parts.size() != 1)
      return std::nullopt;
    const std::uint64_t code = code_of(patch.front().parts.front().text);
    if (code == 0)
      return std::nullopt;
    codes |= code << (4 * (i + 1));
  }
  return codes;
}

// Arithmetic, comparisons and assignments of scalars have functions, so that no operand is written
// many times: most mutants are of this kind, and a device's compiler takes time for each copy.
std::optional<std::string> Renderer::arithmetic(const clang::BinaryOperator& node,
                                                const Site& site) {
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
                                                const Site& site) {
  if (!node.isAssignmentOp() || !has_no_effect(*node.getLHS()))
    return std::nullopt;
  const std::string type = scalar_name(node.getLHS()->getType());
  const std::string common =
      common_type(type, scalar_name(node.getRHS()->IgnoreParenImpCasts()->getType()));
  const std::optional<std::uint64_t> codes = codes_of(node, site);
  if (common.empty() || !codes)
    return std::nullopt;
  const std::string left = in_one_line(plain(*node.getLHS()->IgnoreImplicit()));
  const std::string right = in_one_line(plain(*node.getRHS()->IgnoreImplicit()));
  return fmt::format(
      "({} ? ({} = ({}){}(gputest->state, GPUTEST_WHICH({}), {:#x}ul, {}, {}, {}, ({})({}), "
      "({})({}))) : ({}))",
      pick(site), left, type, helpers_.rare(common), site.first, *codes, site.index,
      is_integer(node.getLHS()->getType()) ? guards_.number(node, function_->getNameAsString()) : 0,
      Helpers::shift_mask(common), common, left, common, right,
      original(node, Mode::Switched, nullptr));
}

// With its guards; with the change of `mutant`, if given.
std::string Renderer::original(const clang::Expr& node, Mode mode, const Proposal* mutant) {
  return compose(begin(node), end(node), pieces(node, mode, mutant));
}

Renderer::Pieces Renderer::pieces(const clang::Expr& node, Mode mode, const Proposal* mutant,
                                  Division division) {
  const unsigned from = begin(node), to = end(node);
  Pieces result;
  // Children in order; where they are not, as in initialisers that name elements, the text stays as
  // it is.
  for (const clang::Stmt* child : node.children()) {
    const auto* whole = llvm::dyn_cast_or_null<clang::Expr>(child);
    if (!whole || llvm::isa<clang::OpaqueValueExpr>(whole))
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
    // A part that the mutant changes itself is not needed twice.
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
  }
  guard_pieces(node, mutant, result);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
      binary && division == Division::Checked)
    division_pieces(*binary, mutant, result);
  if (!mutant)
    return result;
  for (const Replacement& change : mutant->patch) {
    if (change.begin < from || change.end > to)
      continue; // of a surrounding node
    const bool deeper = std::ranges::any_of(result, [&](const Piece& piece) {
      return piece.begin <= change.begin && change.end <= piece.end && change.begin < change.end &&
             !(piece.begin == change.begin && piece.end == change.end && piece.text.empty()) &&
             piece.begin < piece.end;
    });
    if (deeper)
      continue; // an operand has it already
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
  return guarded && part.accessed ? accessed(*part.node, *part.node, text) : text;
}

} // namespace gputest::passes::mutation
