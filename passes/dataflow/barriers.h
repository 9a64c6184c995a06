// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds barriers, and the decisions on which work-items of a group must agree because of them.
#pragma once

#include "passes/dataflow/uniformity.h"

namespace gputest::passes {

// Whether `call` is a barrier: barrier() or work_group_barrier(); in CUDA __syncthreads() and its
// variants, __syncwarp(), and sync() of cooperative groups.
bool is_barrier(const clang::CallExpr& call);

// Whether all work-items of a group must come to `call` together: a barrier, or a function of
// work-groups such as work_group_reduce_add().
bool is_meeting(const clang::CallExpr& call);

// Whether a barrier is below `statement`, or in a function called there.
bool reaches_barrier(const clang::Stmt& statement);
// The same for a meeting.
bool reaches_meeting(const clang::Stmt& statement);

// Whether a meeting in `function` (or block), or in its callees, depends on a decision other than
// the condition of a loop around it. Such a meeting is below an if, switch or ?:, or a jump may
// pass it.
bool has_conditional_meeting(const clang::Decl& function);

// A decision needs a vote if a meeting depends on it and it is not proved uniform. If work-items
// agree on every such decision, each meeting is reached by all work-items of the group or by none.
// A meeting depends on a decision if it lies between the decision and the point where its ways meet
// again (immediate post-dominator). So voting on each of these finds every divergent meeting before
// it is executed. All meetings are called barriers below.
struct Decision {
  const clang::Stmt* statement = nullptr; // if, for, while, do, switch, ?:, &&, ||
  const clang::Expr* condition = nullptr; // its whole condition; the left operand
  // Barriers that depend on it, also in callees, in order.
  std::vector<const clang::CallExpr*> barriers;
  bool instead = false; // the outcome with which all continue if they disagree: around the
                        // barriers, out of loops
};

struct BarrierPlan {
  std::vector<Decision> votes; // in order of position
};

BarrierPlan plan_barriers(const frontend::Tree& tree, Groups groups = Groups::Agree);

// Returns the places of the votes, numbered in order. The caller adds the ids of their barriers.
std::vector<model::Vote> describe_votes(const frontend::Tree& tree, const BarrierPlan& plan);

} // namespace gputest::passes
