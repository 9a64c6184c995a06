// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/renderer.h"

#include "frontend/walk.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <fmt/format.h>

namespace gputest::passes::mutation {
namespace {

bool jumps(const clang::Stmt& statement) {
  return frontend::any_of(statement, [](const clang::Stmt& node) {
    return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(
        node);
  });
}

// Whether the statement is an expression whose text also handles the mutant that leaves it out.
bool has_choice(const clang::Stmt& node, const MutationSite& site) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
  return ((binary && binary->isAssignmentOp()) || (unary && unary->isIncrementDecrementOp())) &&
         site.number_of(Manner::Expression);
}

} // namespace

std::string Renderer::statement(const clang::Stmt& node, Mode mode) {
  const auto found = sites_.find(&node);
  if (mode == Mode::Plain || found == sites_.end() || has_choice(node, found->second))
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

// A statement that may run, not run, or run several times. See GPUTEST_LANDMARK in
// templates/mutants.cl.
std::string Renderer::branch(const clang::Stmt& node, Mode mode) {
  std::string text = statement(node, mode);
  return reaches_meeting(node) ? fmt::format("{{ GPUTEST_LANDMARK {} }}", text) : text;
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
  const auto add = [&](const clang::Stmt& child, std::string text) {
    pieces.push_back({begin(child), tree_.end_of_statement(child), std::move(text)});
  };
  const auto add_statement = [&](const clang::Stmt* child) {
    if (child)
      add(*child, statement(*child, mode));
  };
  const auto add_branch = [&](const clang::Stmt* child) {
    if (child)
      add(*child, branch(*child, mode));
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
    const bool leads_to_barrier = reaches_meeting(*compound);
    for (const clang::Stmt* child : compound->body())
      add(*child,
          statement(*child, mode) + (leads_to_barrier && jumps(*child) ? " GPUTEST_LANDMARK" : ""));
  } else if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node)) {
    add_condition(choice->getCond());
    add_branch(choice->getThen());
    add_branch(choice->getElse());
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
          variable && variable->getInit() && !constants_.contains(variable) &&
          !variable->isStaticLocal() &&
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
      const frontend::FlatSource& source = tree_.source();
      const unsigned at = init ? end(*init) : tree_.offset(counted_loop->getLParenLoc()) + 1;
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
  const MutationSite* site =
      mode == Mode::Switched && found != sites_.end() ? &found->second : nullptr;

  Pieces pieces;
  if (init)
    pieces.push_back({begin(*init), end(*init),
                      llvm::isa<clang::Expr>(init)
                          ? expression(*llvm::cast<clang::Expr>(init)->IgnoreImplicit(), mode)
                          : statement(*init, mode)});
  // If work-items vote, all of them leave together when one has used up its budget.
  const bool votes = head && vote_of_.contains(head);
  const char* counted =
      !votes && reaches_meeting(*inside) ? "GPUTEST_CONTINUE_TOGETHER" : "GPUTEST_CONTINUE";
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
  pieces.push_back({begin(*inside), tree_.end_of_statement(*inside), branch(*inside, mode)});
  std::string text = compose(begin(node), tree_.end_of_statement(node), std::move(pieces));
  if (site && llvm::isa<clang::DoStmt>(node))
    if (const std::string kept = keep(*site, Manner::LoopSkip); !kept.empty())
      text = fmt::format("if ({}) {}", kept, text);
  return left.empty() && !site ? text : fmt::format("{{ {}{} }}", left, text);
}
} // namespace gputest::passes::mutation
