#include "passes/mutation/renderer.h"

#include "passes/walk.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <fmt/format.h>

namespace gputest::passes::mutation {

// ---- guards' numbers ----

GuardBook::GuardBook(const Tree& tree, const model::MutantTable& known)
    : tree_(tree), known_(&known) {}

model::Guard GuardBook::guard(const clang::Stmt& node, const std::string& function) const {
  const Excerpt excerpt = tree_.excerpt(node.getSourceRange());
  return {.function = function,
          .file = excerpt.file,
          .line = excerpt.line,
          .column = excerpt.column,
          .text = excerpt.text};
}

unsigned GuardBook::number(const clang::Stmt& node, const std::string& function) {
  if (known_) {
    const auto found = std::ranges::find(known_->guards, guard(node, function));
    return found == known_->guards.end()
               ? 0
               : static_cast<unsigned>(found - known_->guards.begin()) + 1;
  }
  const auto [entry, is_new] =
      numbers_.try_emplace(&node, static_cast<unsigned>(guards.size()) + 1);
  if (is_new)
    guards.push_back(guard(node, function));
  return entry->second;
}

unsigned GuardBook::vote(const Decision& decision, std::size_t index) {
  if (!known_)
    return static_cast<unsigned>(index);
  const Excerpt excerpt = tree_.excerpt(decision.condition->getSourceRange());
  for (std::size_t i = 0; i < known_->votes.size(); ++i)
    if (known_->votes[i].file == excerpt.file && known_->votes[i].line == excerpt.line &&
        known_->votes[i].column == excerpt.column)
      return static_cast<unsigned>(i);
  return static_cast<unsigned>(known_->votes.size()); // one that the table does not have
}

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

// ---- text ----

Renderer::Renderer(const Tree& tree, const BarrierPlan& plan, const Sites& sites, GuardBook& guards)
    : tree_(tree), plan_(plan), sites_(sites), guards_(guards), pointers_(tree) {
  for (std::size_t i = 0; i < plan_.votes.size(); ++i)
    vote_of_[plan_.votes[i].condition] = static_cast<unsigned>(i);
}

std::string Renderer::body(const clang::FunctionDecl& function) {
  function_ = &function;
  walk(*function.getBody(), [&](const clang::Stmt& node) {
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
    if (unary && unary->getOpcode() == clang::UO_AddrOf)
      addressed_.insert(unary->getSubExpr()->IgnoreParens());
    return true;
  });
  return statement(*function.getBody(), Mode::Switched);
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

// Copies of an expression stand beside it, in its line.
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
  const Excerpt excerpt = tree_.excerpt(node.getSourceRange());
  unguarded.push_back({.file = excerpt.file,
                       .line = excerpt.line,
                       .column = excerpt.column,
                       .function = function_->getNameAsString(),
                       .construct = "memory access",
                       .reason = "not checked against its bounds: " + reason});
}

std::string Renderer::pick(const Site& site) const {
  return fmt::format("GPUTEST_IN({}, {}) && gputest_pick(gputest->state, {})", site.first,
                     site.mutants.size(), site.index);
}

// Whether no mutant of `manner` is active; empty: the site has none.
std::string Renderer::keep(const Site& site, Manner manner) const {
  for (std::size_t i = 0; i < site.mutants.size(); ++i)
    if (site.mutants[i]->manner == manner)
      return fmt::format("GPUTEST_KEEP({}, {})", site.first + i, site.index);
  return {};
}

// ---- statements ----

std::string Renderer::statement(const clang::Stmt& node, Mode mode) {
  const auto found = sites_.find(&node);
  if (mode == Mode::Plain || found == sites_.end())
    return statement_text(node, mode);
  if (const std::string kept = keep(found->second, Manner::Deletion); !kept.empty())
    return fmt::format("{{ if ({}) {} }}", kept, statement_text(node, mode));
  return statement_text(node, mode);
}

std::string Renderer::condition(const clang::Expr& node, std::string text) {
  const auto vote = vote_of_.find(&node);
  if (vote == vote_of_.end())
    return text;
  const Decision& decision = plan_.votes[vote->second];
  return fmt::format("GPUTEST_VOTE({}, {}, ({}))", guards_.vote(decision, vote->second),
                     decision.instead ? 1 : 0, text);
}

// From its first token through its `;`.
std::string Renderer::statement_text(const clang::Stmt& node, Mode mode) {
  if (const auto* whole = llvm::dyn_cast<clang::Expr>(&node)) {
    const clang::Expr& expr = *whole->IgnoreImplicit();
    return compose(begin(expr), tree_.end_of_statement(node),
                   {{begin(expr), end(expr), expression(expr, mode)}});
  }
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(node))
    return loop(node, mode);
  const unsigned from = begin(node), to = tree_.end_of_statement(node);
  Pieces pieces;
  const auto add_statement = [&](const clang::Stmt* child) {
    if (child)
      pieces.push_back({begin(*child), tree_.end_of_statement(*child), statement(*child, mode)});
  };
  const auto add_expression = [&](const clang::Expr* child) {
    if (child)
      pieces.push_back({begin(*child), end(*child), expression(*child->IgnoreImplicit(), mode)});
  };
  const auto add_condition = [&](const clang::Expr* child) {
    pieces.push_back({begin(*child), end(*child),
                      condition(*child, expression(*child->IgnoreImplicit(), mode))});
  };
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(&node)) {
    for (const clang::Stmt* child : compound->body())
      add_statement(child);
  } else if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node)) {
    add_condition(choice->getCond());
    add_statement(choice->getThen());
    add_statement(choice->getElse());
  } else if (const auto* selection = llvm::dyn_cast<clang::SwitchStmt>(&node)) {
    const clang::Expr* value = selection->getCond();
    std::string text = expression(*value->IgnoreImplicit(), mode);
    if (const auto vote = vote_of_.find(value); vote != vote_of_.end())
      text = fmt::format("GPUTEST_VOTE_VALUE({}, ({}))",
                         guards_.vote(plan_.votes[vote->second], vote->second), text);
    pieces.push_back({begin(*value), end(*value), text});
    add_statement(selection->getBody());
  } else if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(&node)) {
    add_statement(label->getSubStmt());
  } else if (const auto* named = llvm::dyn_cast<clang::LabelStmt>(&node)) {
    add_statement(named->getSubStmt());
  } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(&node)) {
    add_statement(attributed->getSubStmt());
  } else if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(&node)) {
    add_expression(result->getRetValue());
  } else if (llvm::isa<clang::GotoStmt>(node)) { // it may lead backwards
    return fmt::format("{{ if (GPUTEST_CONTINUE) {} }}", compose(from, to, {}));
  } else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node)) {
    for (const clang::Decl* declared : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
          variable && variable->getInit() && !variable->isStaticLocal() &&
          variable->getType().getAddressSpace() != clang::LangAS::opencl_constant &&
          !variable->getType()->isSamplerT())
        add_expression(variable->getInit());
  }
  return compose(from, to, std::move(pieces));
}

// Every loop counts against the budget, and may be skipped or run once more or less.
std::string Renderer::loop(const clang::Stmt& node, Mode mode) {
  const clang::Expr* head = nullptr;
  const clang::Expr* step = nullptr;
  const clang::Stmt* inside = nullptr;
  const clang::Stmt* init = nullptr;
  unsigned empty_head = 0;
  if (const auto* counted_loop = llvm::dyn_cast<clang::ForStmt>(&node)) {
    head = counted_loop->getCond();
    step = counted_loop->getInc();
    inside = counted_loop->getBody();
    init = counted_loop->getInit();
    if (!head) { // before the second semicolon
      const FlatSource& source = tree_.source();
      unsigned at = init ? end(*init) : tree_.offset(counted_loop->getLParenLoc()) + 1;
      const bool passed = init && source.text[at - 1] == ';';
      std::size_t token = source.token_at_or_after(at);
      if (!passed) // the first one
        ++token;
      empty_head = source.tokens[token].begin;
    }
  } else if (const auto* while_loop = llvm::dyn_cast<clang::WhileStmt>(&node)) {
    head = while_loop->getCond();
    inside = while_loop->getBody();
  } else {
    const auto& repeat = llvm::cast<clang::DoStmt>(node);
    head = repeat.getCond();
    inside = repeat.getBody();
  }
  const auto found = sites_.find(&node);
  const Site* site = mode == Mode::Switched && found != sites_.end() ? &found->second : nullptr;

  Pieces pieces;
  if (init)
    pieces.push_back({begin(*init), end(*init),
                      llvm::isa<clang::Expr>(init)
                          ? expression(*llvm::cast<clang::Expr>(init)->IgnoreImplicit(), mode)
                          : statement(*init, mode)});
  // Where work-items vote, they leave together whoever's budget is used up.
  const bool votes = head && vote_of_.contains(head);
  const char* counted =
      !votes && reaches_barrier(*inside) ? "GPUTEST_CONTINUE_TOGETHER" : "GPUTEST_CONTINUE";
  std::string left;
  if (head) {
    std::string text = expression(*head->IgnoreImplicit(), mode);
    const std::string unchanged = in_one_line(plain(*head->IgnoreImplicit()));
    std::string choices;
    for (std::size_t i = 0; site && i < site->mutants.size(); ++i) {
      const unsigned number = site->first + static_cast<unsigned>(i);
      switch (site->mutants[i]->manner) {
      case Manner::LoopSkip:
        if (!llvm::isa<clang::DoStmt>(node))
          choices += fmt::format("GPUTEST_IS({}) ? 0 : ", number);
        break;
      case Manner::LoopMore:
        left += fmt::format("int gputest_more_{} = 0; ", site->index);
        choices += fmt::format("GPUTEST_IS({}) ? ({}) || gputest_more_{}++ == 0 : ", number,
                               unchanged, site->index);
        break;
      case Manner::LoopLess: {
        left += fmt::format("long gputest_saved_{0}; int gputest_again_{0}; ", site->index);
        choices += fmt::format("GPUTEST_IS({0}) ? ({1}) && (gputest_saved_{2} = {3}, ({4}), "
                               "gputest_again_{2} = ({1}) != 0, "
                               "{3} = gputest_saved_{2}, gputest_again_{2}) : ",
                               number, unchanged, site->index, site->mutants[i]->variable,
                               in_one_line(plain(*step->IgnoreImplicit())));
        break;
      }
      default:
        break;
      }
    }
    if (!choices.empty())
      text = fmt::format("({} ? {}({}) : ({}))", pick(*site), choices, unchanged, text);
    pieces.push_back(
        {begin(*head), end(*head), condition(*head, fmt::format("{} && ({})", counted, text))});
  } else {
    pieces.push_back({empty_head, empty_head, fmt::format(" {}", counted)});
  }
  if (step)
    pieces.push_back({begin(*step), end(*step), expression(*step->IgnoreImplicit(), mode)});
  pieces.push_back({begin(*inside), tree_.end_of_statement(*inside), statement(*inside, mode)});
  std::string text = compose(begin(node), tree_.end_of_statement(node), std::move(pieces));
  if (site && llvm::isa<clang::DoStmt>(node))
    if (const std::string kept = keep(*site, Manner::LoopSkip); !kept.empty())
      text = fmt::format("if ({}) {}", kept, text);
  return left.empty() && !site ? text : fmt::format("{{ {}{} }}", left, text);
}

// ---- expressions ----

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
