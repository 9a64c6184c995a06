// Barriers and the decisions that work-items of a group must agree on because of them.
#pragma once

#include "passes/dataflow/uniformity.h"

namespace gputest::passes {

bool is_barrier(const clang::CallExpr& call); // barrier() or work_group_barrier()

// Whether a barrier is below `statement`, or in a function called there.
bool reaches_barrier(const clang::Stmt& statement);

// Whether a barrier in `function` or in what it calls hangs on a decision other than the condition
// of a loop around it: it is below an if, switch or ?:, or something may jump past it.
bool has_conditional_barrier(const clang::FunctionDecl& function);

// A decision is worth a vote when a barrier depends on it and it is not proved uniform. If every
// such decision is unanimous, every barrier is reached by all work-items of the group or by none:
// the decisions with a barrier between them and the point where their ways meet again (immediate
// post-dominator) are all that can part work-items before a barrier. So voting on each finds every
// divergent barrier before it is executed.
struct Decision {
  const clang::Stmt* statement = nullptr;       // if, for, while, do, switch, ?:
  const clang::Expr* condition = nullptr;       // its whole condition
  std::vector<const clang::CallExpr*> barriers; // that depend on it, in callees too, in order
  bool instead =
      false; // what all go on with when they disagree: the way around the barriers, out of loops
};

struct BarrierPlan {
  std::vector<Decision> votes; // in order of position
  // Operands of && and || in which a barrier hides: divergence there is not checked.
  std::vector<const clang::Expr*> unchecked;
};

BarrierPlan plan_barriers(const Tree& tree, Groups groups = Groups::Agree);

// Where the votes are, numbered in order; the ids of their barriers are left to the caller.
std::vector<model::Vote> describe_votes(const Tree& tree, const BarrierPlan& plan);

} // namespace gputest::passes
