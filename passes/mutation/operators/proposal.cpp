// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/operators/proposal.h"

#include <llvm/ADT/StringExtras.h>

#include <utility>

namespace gputest::passes::mutation {
namespace {

std::string folded(std::string_view text) {
  std::string result;
  bool directive = false, line_start = true;
  for (const char c : text) {
    directive = (directive && c != '\n') || (line_start && c == '#');
    line_start = c == '\n' || (line_start && llvm::isSpace(c));
    if (directive)
      continue;
    if (!llvm::isSpace(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

// How closely an operator binds, by the grammar of C.
int precedence(clang::BinaryOperatorKind kind) {
  using clang::BinaryOperator;
  if (BinaryOperator::isMultiplicativeOp(kind))
    return 11;
  if (BinaryOperator::isAdditiveOp(kind))
    return 10;
  if (BinaryOperator::isShiftOp(kind))
    return 9;
  if (BinaryOperator::isRelationalOp(kind))
    return 8;
  if (BinaryOperator::isEqualityOp(kind))
    return 7;
  switch (kind) {
  case clang::BO_And:
    return 6;
  case clang::BO_Xor:
    return 5;
  case clang::BO_Or:
    return 4;
  case clang::BO_LAnd:
    return 3;
  case clang::BO_LOr:
    return 2;
  default: // assignments and commas
    return 0;
  }
}

int precedence(const clang::Expr& written) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&written))
    return precedence(binary->getOpcode());
  return llvm::isa<clang::AbstractConditionalOperator>(written) ? 1 : 12;
}

// Whether an operator with this precedence in the place of `node`'s would take or lose operands.
bool regroups(const clang::BinaryOperator& node, int binds, const clang::Stmt* parent) {
  const auto* outer = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
  if (!outer || outer->isAssignmentOp() || outer->isCommaOp())
    return false;
  const bool is_left = outer->getLHS()->IgnoreImplicit() == &node;
  const int around = precedence(outer->getOpcode());
  return is_left ? binds < around : binds <= around;
}

} // namespace

std::string Proposals::text(const clang::Stmt& node) const {
  return folded(tree_.source().unpadded(begin(node), end(node)));
}

bool Proposals::token(clang::SourceLocation location, unsigned& from, unsigned& to) const {
  if (location.isInvalid() || location.isMacroID())
    return false;
  from = tree_.offset(location);
  const std::size_t index = tree_.source().token_at_or_after(from);
  if (index == tree_.source().tokens.size() || tree_.source().tokens[index].begin != from)
    return false;
  to = tree_.source().tokens[index].end;
  return true;
}

std::string Proposals::patched(unsigned from, unsigned to,
                               const std::vector<Replacement>& patch) const {
  std::string result;
  for (const Replacement& change : patch) {
    result += tree_.source().unpadded(from, change.begin);
    for (const Part& part : change.parts)
      result += part.node ? text(*part.node) : part.text;
    from = change.end;
  }
  return folded(result + tree_.source().unpadded(from, to));
}

void Proposals::swap_token(std::string_view operator_name, const clang::Stmt& node,
                           clang::SourceLocation at, const std::string& text) {
  unsigned from = 0, to = 0;
  if (!token(at, from, to))
    return not_mutated(operator_name, node, "it comes from a macro of the language");
  replace(operator_name, node, {{from, to, {{text, nullptr, false}}}});
}

void Proposals::swap_operator(std::string_view operator_name, const Candidate& place,
                              clang::BinaryOperatorKind other) {
  const auto& node = llvm::cast<clang::BinaryOperator>(place.node);
  unsigned from = 0, to = 0;
  if (!token(node.getOperatorLoc(), from, to))
    return not_mutated(operator_name, node, "it comes from a macro of the language");
  const auto text = [](std::string_view written) {
    return std::vector<Part>{{std::string(written), nullptr, false}};
  };
  std::vector<Replacement> patch;
  const auto insert = [&](unsigned at, std::string_view written) {
    patch.push_back({at, at, text(written)});
  };
  const clang::Expr& left = *node.getLHS()->IgnoreImplicit();
  const clang::Expr& right = *node.getRHS()->IgnoreImplicit();
  const int binds = precedence(other);
  const bool whole = regroups(node, binds, place.parent);
  const bool around_left = precedence(left) < binds, around_right = precedence(right) <= binds;
  if (whole)
    insert(begin(node), "(");
  if (around_left) {
    insert(begin(left), "(");
    insert(end(left), ")");
  }
  patch.push_back({from, to, text(clang::BinaryOperator::getOpcodeStr(other).str())});
  if (around_right) {
    insert(begin(right), "(");
    insert(end(right), ")");
  }
  if (whole)
    insert(end(node), ")");
  replace(operator_name, node, std::move(patch));
}

void Proposals::replace(std::string_view operator_name, const clang::Stmt& node,
                        std::vector<Replacement> patch) {
  add({.operator_name = operator_name, .node = &node, .patch = std::move(patch)});
}

void Proposals::add(Proposal proposal) {
  if (proposal.node && proposal.end == 0) {
    proposal.begin = begin(*proposal.node);
    proposal.end = end(*proposal.node);
  }
  if (proposal.replacement.empty())
    proposal.replacement = patched(proposal.begin, proposal.end, proposal.patch);
  proposals.push_back(std::move(proposal));
}

void Proposals::not_mutated(std::string_view operator_name, const clang::Stmt& node,
                            std::string reason) {
  unreached.push_back(
      tree_.unhandled(node.getSourceRange(), {}, std::string(operator_name), std::move(reason)));
}

} // namespace gputest::passes::mutation
