// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the expressions that have one value for all work-items of a work-group.
//
// This is a conservative, interprocedural data-flow analysis: an expression that is not proved
// uniform varies. Values vary because of local and global ids, and loads from memory that
// work-items can write. A variable that is assigned under a varying decision varies too (control
// dependence, by post-dominance).
#pragma once

#include "frontend/parse.h"

#include <clang/Analysis/Analyses/Dominators.h>
#include <clang/Analysis/CFG.h>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace gputest::passes {

// The control flow of one function or block, with the decisions in it.
class ControlFlow {
public:
  ControlFlow(const clang::Decl& function, clang::ASTContext& context);

  const clang::CFG& blocks() const { return *cfg_; }

  // The blocks that run or not, depending on `decision`: those between it and the point where all
  // its ways meet again.
  std::set<const clang::CFGBlock*> influence(const clang::CFGBlock& decision) const;

private:
  std::unique_ptr<clang::CFG> cfg_;
  std::unique_ptr<clang::CFGPostDomTree> post_dominators_;
};

// Whether all work-items of a group have one group id. They do, unless a mutant takes another id
// for it.
enum class Groups { Agree, Vary };

class Uniformity {
public:
  // `agreed` says whether work-items must agree before a call (a barrier, or a function that has
  // one). Decisions on which they could disagree are checked where they are made. After such a
  // decision all know its outcome, so a variable that is assigned under it does not vary because of
  // it.
  Uniformity(const frontend::Tree& tree, const std::function<bool(const clang::CallExpr&)>& agreed,
             Groups groups = Groups::Agree);

  bool is_uniform(const clang::Expr& expression) const { return !varies(expression); }
  // Returns the control flow of a function or block.
  const ControlFlow& control_flow(const clang::Decl& function) const;

private:
  bool varies(const clang::Expr& expression) const;
  bool call_varies(const clang::CallExpr& call) const;
  bool step(const clang::Decl& function); // true if it found something new that varies
  bool mark(const clang::Expr& assigned);
  bool mark(const clang::VarDecl& variable) { return varying_.insert(&variable).second; }

  struct Flow {
    std::unique_ptr<ControlFlow> control;
    std::set<const clang::CFGBlock*> agreed; // decisions that a barrier depends on
  };

  Groups groups_;
  std::map<const clang::Decl*, Flow> flows_;
  std::set<const clang::VarDecl*> varying_;
  std::set<const clang::FunctionDecl*> varying_results_;
};

} // namespace gputest::passes
