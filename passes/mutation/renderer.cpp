// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/renderer.h"

#include "frontend/walk.h"
#include "passes/blocks.h"
#include "passes/mutation/constant_expressions.h"
#include "passes/nodes.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gputest::passes::mutation {

Renderer::Renderer(const frontend::Tree& tree, const BarrierPlan& plan, const Sites& sites,
                   GuardBook& guards, const std::set<const clang::FunctionDecl*>& kept)
    : tree_(tree), plan_(plan), kept_(kept), sites_(sites), guards_(guards), pointers_(tree) {
  for (std::size_t i = 0; i < plan_.votes.size(); ++i)
    vote_of_[plan_.votes[i].condition] = static_cast<unsigned>(i);
}

std::string Renderer::body(const clang::FunctionDecl& function) {
  function_ = &function;
  constants_ = constant_variables(function);
  frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
    if (unary && unary->getOpcode() == clang::UO_AddrOf)
      addressed_.insert(unary->getSubExpr()->IgnoreParens());
    return true;
  });
  return body(*llvm::cast<clang::CompoundStmt>(function.getBody()), Mode::Switched);
}

std::string Renderer::body(const clang::CompoundStmt& body, Mode mode) {
  const std::string outer = std::exchange(variables_, declarations(body, mode));
  std::string text = statement(body, mode);
  text.insert(1, variables_); // after its brace
  variables_ = outer;
  return text;
}

std::string Renderer::block(const clang::BlockExpr& block, Mode mode) {
  const auto* inside = llvm::cast<clang::CompoundStmt>(block.getBody());
  std::string text = body(*inside, mode);
  text.insert(1, fmt::format(" GPUTEST_ENTER_BLOCK({})", kBlockState));
  return compose(begin(block), end(block), {{begin(*inside), end(*inside), std::move(text)}});
}

// Declares all variables that mutants in `body` need, each once.
std::string Renderer::declarations(const clang::CompoundStmt& body, Mode mode) const {
  std::set<std::string> all;
  for (const auto& [node, site] : sites_)
    for (const Proposal* mutant : site.mutants)
      if (!mutant->declarations.empty() && tree_.function_at(mutant->begin) == function_ &&
          &body_at(tree_, *function_, mutant->begin) == &body)
        for (std::size_t at = 0; at < mutant->declarations.size();) {
          const std::size_t end = mutant->declarations.find(';', at) + 1;
          all.insert(mutant->declarations.substr(at, end - at));
          at = end;
        }
  return mode == Mode::Plain ? "" : fmt::format("{}", fmt::join(all, ""));
}

std::string Renderer::compose(unsigned from, unsigned to, Pieces pieces) const {
  std::ranges::stable_sort(pieces, {},
                           [](const Piece& piece) { return std::pair(piece.begin, piece.end); });
  const std::string_view all = tree_.source().text;
  std::string result;
  for (const Piece& piece : pieces) {
    result += all.substr(from, piece.begin - from);
    result += piece.text;
    from = piece.end;
  }
  result += all.substr(from, to - from);
  return result;
}

// Copies of an expression are beside it, in its line.
std::string Renderer::in_one_line(const std::string& text) {
  if (text.find('\n') == std::string::npos)
    return text;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const llvm::StringRef line = llvm::StringRef(text).slice(at, end).trim();
    if (!line.empty() && !line.starts_with("#"))
      result += (result.empty() ? "" : " ") + line.str();
    at = end + 1;
  }
  return result;
}

void Renderer::leave_unguarded(const clang::Stmt& node, const std::string& reason) {
  if (!unguarded_.insert(&node).second)
    return;
  unguarded.push_back(tree_.unhandled(node.getSourceRange(), function_->getNameAsString(),
                                      "memory access",
                                      "not checked against its bounds: " + reason));
}

std::optional<unsigned> MutationSite::number_of(Manner manner) const {
  const auto found = std::ranges::find(mutants, manner, &Proposal::manner);
  if (found == mutants.end())
    return std::nullopt;
  return first + static_cast<unsigned>(found - mutants.begin());
}

std::string Renderer::pick(const MutationSite& site) const {
  return fmt::format("GPUTEST_IN({}, {}) && gputest_pick(gputest->state, {})", site.first,
                     site.mutants.size(), site.index);
}

// Whether no mutant of `manner` is active; empty: the site has none.
std::string Renderer::keep(const MutationSite& site, Manner manner) const {
  const std::optional<unsigned> number = site.number_of(manner);
  return number ? fmt::format("GPUTEST_KEEP({}, {})", *number, site.index) : std::string();
}

// A cast to the type of `node` if `?:` would make it an int. Functions such as add_sat() and clz()
// compute something else for an int. Empty for other types.
static std::string cast_to_narrow(const clang::Expr& node) {
  static const std::set<std::string> kNarrow{"char", "uchar", "short", "ushort"};
  const std::string name = node.getType()->isBooleanType() ? "bool" : scalar_name(node.getType());
  return name == "bool" || kNarrow.contains(name) ? "(" + name + ")" : "";
}

// Chooses the text of the mutants of a node if one of them is active, else the original. One of
// them may be a mutant that leaves out the node, if it is a statement.
std::string Renderer::choice(const clang::Expr& node, const MutationSite& site,
                             const std::string& mutants, const std::string& original) const {
  const std::optional<unsigned> left_out = site.number_of(Manner::Deletion);
  if (!left_out) {
    const std::string either = fmt::format("({} ? {} : ({}))", pick(site), mutants, original);
    const std::string cast = cast_to_narrow(node);
    return cast.empty() ? either : fmt::format("({}{})", cast, either);
  }
  return fmt::format("({} ? (GPUTEST_IS({}) ? (void)0 : (void)({})) : (void)({}))", pick(site),
                     *left_out, mutants, original);
}

} // namespace gputest::passes::mutation
