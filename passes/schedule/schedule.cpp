// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/schedule/schedule.h"

#include "embedded/events_cl.h"
#include "embedded/identity_cl.h"
#include "embedded/schedule_cl.h"
#include "embedded/scheduled_cl.h"
#include "embedded/state_h.h"
#include "embedded/storage_cl.h"
#include "frontend/edits.h"
#include "frontend/walk.h"
#include "passes/blocks.h"
#include "passes/dataflow/call_graph.h"
#include "passes/dataflow/row_indices.h"
#include "passes/dataflow/waiting_loops.h"
#include "passes/mutation/mutants.h"
#include "passes/parameters.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include <fmt/format.h>
#include <set>

namespace gputest::passes {
namespace {

// Whether schedule.cl has a function gputest_<name>.
bool is_remapped(llvm::StringRef name) {
  static const std::set<llvm::StringRef> names{
      "get_group_id",         "get_local_id",        "get_global_id",
      "get_global_linear_id", "get_local_linear_id", "get_global_offset",
      "get_global_size",      "get_num_groups",      "get_enqueued_local_size"};
  return names.contains(name);
}

// Sub-groups are made of neighbours on the device, so their work-items stay where they are.
bool is_of_sub_groups(llvm::StringRef name) {
  return name.contains("sub_group");
}

class Scheduler {
public:
  Scheduler(const frontend::Tree& tree, const std::string& source_name)
      : tree_(tree), kept_(of_no_kernel(tree).functions) {
    sites_.source = source_name;
    for (const clang::FunctionDecl* function : tree.functions())
      if (!kept_.contains(function->getCanonicalDecl()))
        functions_.insert(function->getCanonicalDecl());
  }

  ScheduleVariant run() {
    for (const clang::Decl* declaration : tree_.context().getTranslationUnitDecl()->decls()) {
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
        remap(*function);
      if (llvm::isa<clang::FileScopeAsmDecl>(declaration))
        not_remapped(declaration->getSourceRange(), "inline assembly", "what it reads is unknown");
    }
    list_kernels();
    sites_.rows = row_indices(tree_);
    ScheduleVariant variant;
    mutation::GuardedOriginal guarded = mutation::guarded_original(tree_, sites_.source);
    variant.guarded = std::move(guarded.text);
    sites_.guarded = std::move(guarded.table);
    variant.text = fmt::format(
        "/* {}, made ready for schedules by GpuTestCheck. */\n{}{}{}{}{}{}{}",
        tree_.source().files.empty() ? "" : tree_.source().files.front(), embedded::state_h,
        embedded::storage_cl, embedded::events_cl, embedded::schedule_cl, embedded::scheduled_cl,
        embedded::identity_cl, edits_.apply(tree_.source().text));
    variant.sites = std::move(sites_);
    return variant;
  }

private:
  bool is_ours(const clang::FunctionDecl& function) const {
    return functions_.contains(function.getCanonicalDecl()) || frontend::is_wrapper(function);
  }

  void remap(const clang::FunctionDecl& function) {
    if (!is_ours(function))
      return;
    add_parameter(tree_, function, state_parameter(function), edits_);
    if (!function.doesThisDeclarationHaveABody())
      return;
    current_ = &function;
    const auto* body = llvm::cast<clang::CompoundStmt>(function.getBody());
    if (frontend::is_kernel(function))
      edits_.before(tree_.offset(body->getLBracLoc()) + 1, " GPUTEST_ENTER");
    edits_.before(tree_.offset(body->getLBracLoc()) + 1, block_state(function));
    for (const WaitingLoop& loop : waiting_loops(tree_, function))
      count(loop);
    std::set<const clang::Expr*> callees;
    visit_all(*body, callees);
  }

  void visit_all(const clang::Stmt& body, std::set<const clang::Expr*>& callees) {
    frontend::walk(body, [&](const clang::Stmt& node) {
      visit(node, callees);
      return true;
    });
  }

  void visit(const clang::Stmt& node, std::set<const clang::Expr*>& callees) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      visit_call(*call, callees);
    } else if (llvm::isa<clang::AsmStmt>(node)) {
      not_remapped(node.getSourceRange(), "inline assembly", "what it reads is unknown");
    } else if (const auto* block = llvm::dyn_cast<clang::BlockExpr>(&node)) {
      not_remapped(node.getSourceRange(), "block", "who runs it is up to the device");
      const auto* inside = llvm::cast<clang::CompoundStmt>(block->getBody());
      edits_.before(tree_.offset(inside->getLBracLoc()) + 1,
                    fmt::format(" GPUTEST_ENTER_BLOCK({})", kBlockState));
      visit_all(*inside, callees);
    } else if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node)) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
      if (function && !callees.contains(reference))
        not_remapped(node.getSourceRange(),
                     fmt::format("'{}' as a value", function->getNameAsString()),
                     "whoever calls it by a pointer gets the device's ids");
    }
  }

  void visit_call(const clang::CallExpr& call, std::set<const clang::Expr*>& callees) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (!callee)
      return not_remapped(call.getSourceRange(), "call through a pointer",
                          "what is called is unknown");
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
    if (name)
      callees.insert(name);
    if (is_ours(*callee)) {
      const bool kernel =
          frontend::is_kernel(*callee->getCanonicalDecl()) || frontend::is_kernel(*callee);
      edits_.before(tree_.offset(call.getRParenLoc()),
                    fmt::format("{}{}", call.getNumArgs() > 0 ? ", " : "",
                                kernel ? "gputest->state" : "gputest"));
      return;
    }
    if (is_declared_here(*callee))
      return not_remapped(
          call.getSourceRange(), fmt::format("call of '{}'", callee->getNameAsString()),
          kept_.contains(callee->getCanonicalDecl()) ? "a block at program scope calls it, too"
                                                     : "its body is not in this file");
    const std::string builtin = callee->getNameAsString();
    if (is_of_sub_groups(builtin))
      sub_groups_.insert(current_);
    if (!name || !is_remapped(builtin))
      return;
    // The parenthesis after the name. The name may be in parentheses itself.
    const frontend::FlatSource& source = tree_.source();
    const std::size_t open =
        source.token_at_or_after(tree_.end(call.getCallee()->getSourceRange()));
    edits_.after(source.tokens[open].end, call.getNumArgs() > 0 ? "gputest, " : "gputest");
    edits_.before(tree_.begin(name->getSourceRange()), "gputest_");
  }

  bool is_declared_here(const clang::FunctionDecl& function) const {
    const clang::SourceManager& sources = tree_.context().getSourceManager();
    return !function.isImplicit() &&
           sources.isInMainFile(sources.getFileLoc(function.getLocation()));
  }

  void count(const WaitingLoop& loop) {
    const clang::SourceRange range = loop.statement->getSourceRange();
    const unsigned begin = tree_.begin(range);
    unsigned head = tree_.end(range);
    if (const auto* known = llvm::dyn_cast<clang::ForStmt>(loop.statement))
      head = tree_.offset(known->getRParenLoc()) + 1;
    if (const auto* known = llvm::dyn_cast<clang::WhileStmt>(loop.statement))
      head = tree_.offset(known->getRParenLoc()) + 1;
    frontend::Excerpt place = tree_.source().excerpt(begin, head);
    if (llvm::isa<clang::DoStmt>(loop.statement))
      place.text =
          fmt::format("do … while ({})", tree_.excerpt(loop.condition->getSourceRange()).text);
    sites_.loops.push_back({.function = current_->getNameAsString(),
                            .file = place.file,
                            .line = place.line,
                            .column = place.column,
                            .text = place.text});
    const std::string counted =
        fmt::format("{}({})", loop.around_barrier ? "GPUTEST_WAIT_TOGETHER" : "GPUTEST_WAITS",
                    sites_.loops.size());
    if (loop.condition)
      edits_.around(tree_.begin(loop.condition->getSourceRange()),
                    tree_.end(loop.condition->getSourceRange()), counted + " && (", ")");
    else if (const auto* known = llvm::dyn_cast<clang::ForStmt>(loop.statement))
      edits_.before(empty_condition(*known), " " + counted);
    else
      edits_.around(begin, tree_.end_of_statement(*loop.statement), "{ if (" + counted + ") ",
                    " }");
  }

  // Before the second semicolon.
  unsigned empty_condition(const clang::ForStmt& loop) const {
    const frontend::FlatSource& source = tree_.source();
    const unsigned at = loop.getInit() ? tree_.end(loop.getInit()->getSourceRange())
                                       : tree_.offset(loop.getLParenLoc()) + 1;
    std::size_t token = source.token_at_or_after(at);
    const bool passed = loop.getInit() && source.text[at - 1] == ';';
    return source.tokens[passed ? token : token + 1].begin;
  }

  void not_remapped(clang::SourceRange range, const std::string& construct,
                    const std::string& reason) {
    sites_.not_remapped.push_back(
        tree_.unhandled(range, current_ ? current_->getNameAsString() : "", construct, reason));
  }

  void list_kernels() {
    for (const clang::FunctionDecl* kernel : tree_.kernels()) {
      model::ScheduledKernel entry{.name = kernel->getNameAsString()};
      for (const clang::FunctionDecl* function : reachable_from(tree_, *kernel)) {
        if (!frontend::is_wrapper(*function))
          entry.functions.push_back(function->getNameAsString());
        entry.keeps_items = entry.keeps_items || sub_groups_.contains(function);
      }
      sites_.kernels.push_back(std::move(entry));
    }
  }

  const frontend::Tree& tree_;
  std::set<const clang::FunctionDecl*> kept_; // of no kernel
  model::ScheduleSites sites_;
  frontend::Edits edits_;
  const clang::FunctionDecl* current_ = nullptr;
  std::set<const clang::FunctionDecl*> functions_; // canonical declarations
  std::set<const clang::FunctionDecl*> sub_groups_;
};

} // namespace

ScheduleVariant schedule(const frontend::Tree& tree, const std::string& source_name) {
  return Scheduler(tree, source_name).run();
}

} // namespace gputest::passes
