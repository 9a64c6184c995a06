// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/coverage/instrumenter.h"
#include "passes/dataflow/jumps.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <fmt/format.h>

namespace gputest::passes {

using model::Criterion;

void Instrumenter::walk(const clang::Stmt& statement, Bit probe) {
  if (row_.is_cpp && walk_cpp(statement, probe))
    return;
  if (const auto* node = llvm::dyn_cast<clang::CompoundStmt>(&statement))
    return walk_sequence(*node, probe, false);
  if (const auto* node = llvm::dyn_cast<clang::IfStmt>(&statement))
    return walk_if(*node, probe);
  if (const auto* node = llvm::dyn_cast<clang::ForStmt>(&statement))
    return walk_for(*node, probe);
  if (const auto* node = llvm::dyn_cast<clang::WhileStmt>(&statement))
    return walk_while(*node, probe);
  if (const auto* node = llvm::dyn_cast<clang::DoStmt>(&statement))
    return walk_do(*node, probe);
  if (const auto* node = llvm::dyn_cast<clang::SwitchStmt>(&statement))
    return walk_switch(*node, probe);
  if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(statement)) {
    // If this is the only statement of a body, text inserted behind the label must belong to the
    // body too.
    edits_.around(tree_.begin(statement.getSourceRange()),
                  tree_.end_of_statement(without_labels(statement)), "{ ", " }");
    walk_labelled(statement);
    return;
  }
  if (const auto* node = llvm::dyn_cast<clang::AttributedStmt>(&statement)) {
    attributed_[node->getSubStmt()] = node;
    return walk(*node->getSubStmt(), probe);
  }
  if (llvm::isa<clang::NullStmt>(statement))
    return;
  if (const auto* node = llvm::dyn_cast<clang::DeclStmt>(&statement))
    return walk_declaration(*node, probe);
  statement_site(tree_.begin(statement.getSourceRange()), tree_.end(statement.getSourceRange()),
                 probe);
  if (const auto* node = llvm::dyn_cast<clang::ReturnStmt>(&statement))
    return walk_return(*node, probe);
  if (const auto* node = llvm::dyn_cast<clang::GotoStmt>(&statement))
    return walk_goto(*node);
  visit(statement, probe, true);
}

void Instrumenter::walk_sequence(const clang::CompoundStmt& compound, Bit probe,
                                 bool starts_unknown) {
  bool unknown = starts_unknown;
  for (const clang::Stmt* child : compound.body()) {
    if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(child)) {
      // Control that reaches what follows the label came through the label.
      probe = walk_labelled(*child);
      unknown = has_jumps(without_labels(*child));
      continue;
    }
    if (unknown && !llvm::isa<clang::NullStmt>(child)) {
      probe = new_bits(1);
      edits_.before(in_front_of(*child), hit(probe) + " ");
      unknown = false;
    }
    walk(*child, probe);
    // Code after a jump is reached in other ways than code before it.
    unknown |= has_jumps(*child);
  }
}

Bit Instrumenter::walk_labelled(const clang::Stmt& statement) {
  Bit probe;
  const clang::Stmt* inner = nullptr;
  if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(&statement)) {
    probe = new_bits(1);
    insert_after_colon(tree_.offset(label->getIdentLoc()), hit(probe));
    inner = label->getSubStmt();
  } else {
    const auto& one = llvm::cast<clang::SwitchCase>(statement);
    probe = case_label(one);
    inner = one.getSubStmt();
  }
  if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(inner))
    return walk_labelled(*inner);
  walk(*inner, probe);
  return probe;
}

void Instrumenter::statement_site(unsigned begin, unsigned end, Bit probe) {
  book_.add(Criterion::Statement, "", begin, end, {{"executed", probe.index}});
}

void Instrumenter::header_site(const clang::Stmt& statement, const clang::Stmt& body, Bit probe) {
  statement_site(tree_.begin(statement.getSourceRange()), tree_.begin(body.getSourceRange()),
                 probe);
}

void Instrumenter::walk_if(const clang::IfStmt& choice, Bit probe) {
  header_site(choice, *choice.getThen(), probe);
  if (choice.getInit())
    visit(*choice.getInit(), probe, false);
  if (choice.getConditionVariable() || choice.isConstexpr() || choice.isConsteval())
    return walk_special_if(choice, probe);
  const Bit no = new_bits(2);
  decide_with(*choice.getCond(), "if", no, probe, only_computes(choice) || reaches_meeting(choice));
  const auto constant = constant_condition(choice.getCond());
  on_side(true, constant, *choice.getCond(), [&] { walk(*choice.getThen(), no.next()); });
  if (choice.getElse())
    on_side(false, constant, *choice.getCond(), [&] { walk(*choice.getElse(), no); });
}

void Instrumenter::walk_declaration(const clang::DeclStmt& declaration, Bit probe) {
  bool executes = false;
  for (const clang::Decl* declared : declaration.decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
    if (!variable || !variable->hasInit() || is_compile_time(*variable) ||
        does_nothing(*variable->getInit()))
      continue;
    executes = true;
  }
  if (executes)
    statement_site(tree_.begin(declaration.getSourceRange()),
                   tree_.end(declaration.getSourceRange()), probe);
  visit(declaration, probe, false);
}

// float4 v; of C++ has an initialiser, too.
bool Instrumenter::does_nothing(const clang::Expr& initialiser) {
  const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(&initialiser);
  return construction && construction->getNumArgs() == 0 &&
         construction->getConstructor()->isTrivial();
}

bool Instrumenter::is_compile_time(const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  return variable.isStaticLocal() || variable.isConstexpr() || type->isSamplerT() ||
         type.getAddressSpace() == clang::LangAS::opencl_constant;
}

void Instrumenter::walk_return(const clang::ReturnStmt& statement, Bit probe) {
  const unsigned begin = tree_.begin(statement.getSourceRange());
  const unsigned end = tree_.end_of_statement(statement);
  const std::string loops = close_loops(nullptr);
  const auto way_out = [&] { // of a kernel: other functions may have no simple name
    return leaves_together_ ? std::string("goto gputest_end") : leave() + " return";
  };
  if (block_ && statement.getRetValue()) {
    edits_.replace(begin, begin + 6,
                   fmt::format("{{ {} gputest_result =",
                               statement.getRetValue()->getType().getUnqualifiedType().getAsString(
                                   context_.getPrintingPolicy())));
    edits_.after(end, " " + loops + leave() + " return gputest_result; }");
  } else if (block_) {
    edits_.around(begin, end, "{ " + loops + leave() + " ", " }");
  } else if (!row_.has_context || !frontend::is_kernel(*current_)) {
    if (!loops.empty())
      edits_.around(begin, end, "{ " + loops, " }");
  } else if (statement.getRetValue()) { // return f(); in a void function
    edits_.replace(begin, begin + 6, "{");
    edits_.after(end, " " + loops + way_out() + "; }");
  } else if (leaves_together_) {
    edits_.replace(begin, begin + 6, "{ " + loops + way_out());
    edits_.after(end, " }");
  } else {
    edits_.around(begin, end, "{ " + loops + leave() + " ", " }");
  }
  if (statement.getRetValue())
    visit(*statement.getRetValue(), probe, false);
}

void Instrumenter::walk_goto(const clang::GotoStmt& statement) {
  gotos_.push_back(&statement);
  const std::string loops = close_loops(statement.getLabel()->getStmt());
  if (!loops.empty())
    edits_.around(tree_.begin(statement.getSourceRange()), tree_.end_of_statement(statement),
                  "{ " + loops, " }");
}

void Instrumenter::insert_after_colon(unsigned offset, const std::string& text) {
  edits_.before(colon_after(offset) + 1, " " + text);
}

unsigned Instrumenter::colon_after(unsigned offset) const {
  const frontend::FlatSource& source = tree_.source();
  int questions = 0;
  for (std::size_t i = source.token_at_or_after(offset); i < source.tokens.size(); ++i) {
    const frontend::FlatToken& token = source.tokens[i];
    const std::string_view text(source.text.data() + token.begin, token.end - token.begin);
    if (text == "?")
      ++questions;
    else if (text == ":" && questions-- == 0)
      return token.begin;
  }
  return offset;
}

unsigned Instrumenter::in_front_of(const clang::Stmt& statement) const {
  const auto attributed = attributed_.find(&statement);
  const clang::Stmt& whole = attributed == attributed_.end() ? statement : *attributed->second;
  return tree_.source().before_pragmas(tree_.begin(whole.getSourceRange()));
}

void Instrumenter::walk_switch(const clang::SwitchStmt& statement, Bit probe) {
  header_site(statement, *statement.getBody(), probe);
  if (statement.getInit())
    visit(*statement.getInit(), probe, false);
  Switch info;
  info.statement = &statement;
  info.fallthrough = fallthrough_labels(*statement.getBody());
  if (statement.getConditionVariable() && !info.fallthrough.empty()) {
    book_.not_instrumented(statement.getConditionVariable()->getSourceRange(),
                           "declaration in a condition",
                           "a label that control falls into counts as taken");
    info.fallthrough.clear();
  }
  std::string left, right;
  if (!info.fallthrough.empty()) {
    info.number = switches_++;
    left = fmt::format("GPUTEST_SWITCH({}, ", info.number);
    right = ")";
  }
  if (const auto vote = vote_of_.find(statement.getCond()); vote != vote_of_.end()) {
    left += fmt::format("GPUTEST_VOTE_VALUE({}, (", vote->second);
    right = "))" + right;
  }
  edits_.around(tree_.begin(statement.getCond()->getSourceRange()),
                tree_.end(statement.getCond()->getSourceRange()), left, right);
  visit(*statement.getCond(), probe, false);
  switch_stack_.push_back(std::move(info));
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement.getBody()))
    walk_sequence(*compound, probe, true);
  else
    walk(*statement.getBody(), probe);
  switch_stack_.pop_back();
}

Bit Instrumenter::case_label(const clang::SwitchCase& label) {
  const Switch& info = switch_stack_.back();
  const Bit taken = new_bits(1);
  const unsigned begin = tree_.offset(label.getKeywordLoc());
  book_.add(Criterion::Branch, "switch", begin, tree_.offset(label.getColonLoc()),
            {{"taken", taken.index}});
  const unsigned colon = tree_.offset(label.getColonLoc()) + 1;
  if (const std::string into = begin_inside(label, *info.statement); !into.empty())
    edits_.before(colon,
                  info.fallthrough.empty()
                      ? " " + into
                      : fmt::format(" if (gputest->switches[{}]) {{ {}}}", info.number, into));
  Bit inside = taken;
  if (info.fallthrough.empty()) {
    edits_.before(colon, " " + hit(taken));
  } else {
    // Every label must clear the flag, or a later fall-through would count as a selection.
    std::string text =
        fmt::format(" GPUTEST_LABEL({}, {}, {});", info.number, taken.word(), taken.mask());
    if (info.fallthrough.contains(&label)) {
      inside = new_bits(1);
      text += " " + hit(inside);
    }
    edits_.before(colon, text);
  }
  return inside;
}

} // namespace gputest::passes
