// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/barriers.h"

#include "frontend/walk.h"
#include "passes/blocks.h"
#include "passes/nodes.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <set>

namespace gputest::passes {
namespace {

std::vector<const clang::CallExpr*> calls_in(const clang::Stmt& statement) {
  std::vector<const clang::CallExpr*> calls;
  frontend::walk(statement, [&](const clang::Stmt& node) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
      calls.push_back(call);
    return true;
  });
  return calls;
}

using Barriers = std::vector<const clang::CallExpr*>;
using BarriersOf = std::map<const clang::Decl*, Barriers>; // of functions and blocks

void add(Barriers& into, const Barriers& more) {
  for (const clang::CallExpr* barrier : more)
    if (std::ranges::find(into, barrier) == into.end())
      into.push_back(barrier);
}

// Returns the function or the block, which no assignment changes, if its body is there.
const clang::Decl* definition_of(const clang::CallExpr& call) {
  const clang::FunctionDecl* definition = nullptr;
  if (const clang::FunctionDecl* callee = call.getDirectCallee())
    return callee->hasBody(definition) ? definition : nullptr;
  const clang::Expr* callee = call.getCallee()->IgnoreParenImpCasts();
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
        variable && variable->getInit())
      callee = variable->getInit()->IgnoreParenImpCasts();
  const auto* block = llvm::dyn_cast<clang::BlockExpr>(callee);
  return block ? block->getBlockDecl() : nullptr;
}

Barriers barriers_in_call(const clang::CallExpr& call, const BarriersOf& of) {
  if (is_meeting(call))
    return {&call};
  const auto found = of.find(definition_of(call));
  return found == of.end() ? Barriers{} : found->second;
}

// The barriers of each function and block, including those of its callees. OpenCL C has no
// recursion.
BarriersOf barriers_of_functions(const frontend::Tree& tree) {
  BarriersOf result;
  for (bool changed = true; changed;) {
    changed = false;
    for (const clang::Decl* function : functions_and_blocks(tree)) {
      Barriers barriers;
      for (const clang::CallExpr* call : calls_in(*function->getBody()))
        add(barriers, barriers_in_call(*call, result));
      if (barriers.size() != result[function].size()) {
        result[function] = std::move(barriers);
        changed = true;
      }
    }
  }
  return result;
}

// Returns the operator if its right operand, which runs or not, has a barrier.
const clang::BinaryOperator* as_choice(const clang::Stmt& statement) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement);
  return binary && binary->isLogicalOp() && reaches_meeting(*binary->getRHS()) ? binary : nullptr;
}

const clang::Expr* condition_of(const clang::Stmt& statement) {
  if (const auto* node = llvm::dyn_cast<clang::IfStmt>(&statement))
    return node->getCond();
  if (const auto* node = llvm::dyn_cast<clang::ForStmt>(&statement))
    return node->getCond();
  if (const auto* node = llvm::dyn_cast<clang::WhileStmt>(&statement))
    return node->getCond();
  if (const auto* node = llvm::dyn_cast<clang::DoStmt>(&statement))
    return node->getCond();
  if (const auto* node = llvm::dyn_cast<clang::SwitchStmt>(&statement))
    return node->getCond();
  if (const auto* node = llvm::dyn_cast<clang::ConditionalOperator>(&statement))
    return node->getCond();
  if (const auto* node = as_choice(statement))
    return node->getLHS();
  return nullptr;
}

// Statements with a condition. For each operand of && and ||, the statement in whose condition it
// is.
class Conditions {
public:
  std::vector<const clang::Stmt*> statements;
  std::map<const clang::Stmt*, const clang::Stmt*> owner_of_logical;

  explicit Conditions(const clang::Stmt& body) {
    frontend::walk(body, [&](const clang::Stmt& node) {
      if (const clang::Expr* condition = condition_of(node)) {
        statements.push_back(&node);
        own(*condition, node);
      }
      return true;
    });
  }

private:
  void own(const clang::Expr& expression, const clang::Stmt& owner) {
    const clang::Expr* node = expression.IgnoreParenImpCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node);
        unary && unary->getOpcode() == clang::UO_LNot)
      own(*unary->getSubExpr(), owner);
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(node);
    if (!binary || !binary->isLogicalOp())
      return;
    if (as_choice(*binary)) // it is a decision of its own, which owns its left operand
      return;
    owner_of_logical[binary] = &owner;
    own(*binary->getLHS(), owner);
    own(*binary->getRHS(), owner);
  }
};

bool holds_barrier(const clang::Stmt& statement, const BarriersOf& of) {
  return frontend::any_of(statement, [&](const clang::Stmt& node) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
    return call && !barriers_in_call(*call, of).empty();
  });
}

// Whether the way around a barrier is the first branch of a choice. If neither branch has a
// barrier, one of them jumps past it, nearly always the first.
bool way_around(const clang::Stmt& statement, const BarriersOf& of) {
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement))
    return !holds_barrier(*choice->getThen(), of);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&statement))
    return !holds_barrier(*choice->getTrueExpr(), of);
  if (const auto* binary = as_choice(statement))
    return binary->getOpcode() == clang::BO_LOr;
  return false; // out of the loop
}

// In the order of the text.
bool comes_before_barrier(const clang::Stmt& body, const clang::Stmt& statement) {
  bool passed = false, found = false;
  frontend::walk(body, [&](const clang::Stmt& node) {
    passed |= &node == &statement;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
    found |= passed && call && reaches_meeting(*call);
    return true;
  });
  return found;
}

// __syncthreads and its like, __syncwarp, and sync() of cooperative groups.
bool is_cuda_barrier(const clang::FunctionDecl& callee, llvm::StringRef name) {
  if (name.starts_with("__syncthreads") || name == "__syncwarp")
    return true;
  if (name != "sync")
    return false;
  for (const clang::DeclContext* context = callee.getDeclContext(); context;
       context = context->getParent())
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
        space && space->getName() == "cooperative_groups")
      return true;
  return false;
}

using Sought = bool (*)(const clang::CallExpr&);

bool reaches(Sought is_sought, const clang::Stmt& statement, std::set<const clang::Decl*>& seen) {
  return frontend::any_of(statement, [&](const clang::Stmt& node) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
    if (!call)
      return false;
    if (is_sought(*call))
      return true;
    const clang::Decl* definition = definition_of(*call);
    return definition && seen.insert(definition).second &&
           reaches(is_sought, *definition->getBody(), seen);
  });
}

} // namespace

bool is_barrier(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier())
    return false;
  const llvm::StringRef name = callee->getName();
  if (callee->getASTContext().getLangOpts().CUDA)
    return is_cuda_barrier(*callee, name);
  return !callee->hasBody() && (name == "barrier" || name == "work_group_barrier");
}

bool is_meeting(const clang::CallExpr& call) {
  return is_barrier(call) || builtin_name(call).starts_with("work_group_");
}

bool reaches_barrier(const clang::Stmt& statement) {
  std::set<const clang::Decl*> seen; // functions of CUDA may call themselves
  return reaches(is_barrier, statement, seen);
}

bool reaches_meeting(const clang::Stmt& statement) {
  std::set<const clang::Decl*> seen;
  return reaches(is_meeting, statement, seen);
}

bool has_conditional_meeting(const clang::Decl& function) {
  const clang::Stmt& body = *function.getBody();
  return frontend::any_of(body, [&](const clang::Stmt& node) {
    if (llvm::isa<clang::IfStmt, clang::SwitchStmt, clang::AbstractConditionalOperator>(node))
      return reaches_meeting(node);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node))
      return binary->isLogicalOp() && reaches_meeting(*binary->getRHS());
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(node))
      return reaches_meeting(node) && frontend::any_of(node, [](const clang::Stmt& jump) {
               return llvm::isa<clang::BreakStmt, clang::ContinueStmt>(jump);
             });
    if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::LabelStmt>(node))
      return comes_before_barrier(body, node);
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
    const clang::Decl* definition = call ? definition_of(*call) : nullptr;
    return definition && has_conditional_meeting(*definition);
  });
}

BarrierPlan plan_barriers(const frontend::Tree& tree, Groups groups) {
  BarrierPlan plan;
  const BarriersOf of = barriers_of_functions(tree);
  if (std::ranges::all_of(of, [](const auto& entry) { return entry.second.empty(); }))
    return plan;

  const Uniformity uniformity(
      tree, [&](const clang::CallExpr& call) { return !barriers_in_call(call, of).empty(); },
      groups);
  for (const clang::Decl* function : functions_and_blocks(tree)) {
    if (of.at(function).empty())
      continue;
    const Conditions conditions(*function->getBody());

    std::map<const clang::Stmt*, Barriers> dependent;
    const ControlFlow& flow = uniformity.control_flow(*function);
    for (const clang::CFGBlock* block : flow.blocks()) {
      const clang::Stmt* terminator = block->getTerminatorStmt();
      if (!terminator || block->succ_size() < 2)
        continue;
      if (const auto owner = conditions.owner_of_logical.find(terminator);
          owner != conditions.owner_of_logical.end())
        terminator = owner->second;
      for (const clang::CFGBlock* influenced : flow.influence(*block))
        for (const clang::CFGElement& element : *influenced)
          if (const auto statement = element.getAs<clang::CFGStmt>())
            if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement->getStmt()))
              add(dependent[terminator], barriers_in_call(*call, of));
    }
    for (const clang::Stmt* statement : conditions.statements) {
      const clang::Expr* condition = condition_of(*statement);
      const auto found = dependent.find(statement);
      if (found == dependent.end() || found->second.empty() || uniformity.is_uniform(*condition))
        continue;
      Barriers barriers = found->second;
      std::ranges::sort(barriers, {}, [&](const clang::CallExpr* barrier) {
        return tree.begin(barrier->getSourceRange());
      });
      plan.votes.push_back({statement, condition, std::move(barriers), way_around(*statement, of)});
    }
  }
  std::ranges::stable_sort(plan.votes, {}, [&](const Decision& decision) {
    return tree.begin(decision.condition->getSourceRange());
  });
  return plan;
}

std::vector<model::Vote> describe_votes(const frontend::Tree& tree, const BarrierPlan& plan) {
  std::vector<model::Vote> votes;
  for (const Decision& decision : plan.votes) {
    const clang::SourceRange range = decision.condition->getSourceRange();
    const frontend::Excerpt excerpt = tree.excerpt(range);
    const clang::FunctionDecl* function = tree.function_at(tree.begin(range));
    votes.push_back({.word = static_cast<unsigned>(votes.size()),
                     .function = function ? function->getNameAsString() : "",
                     .file = excerpt.file,
                     .line = excerpt.line,
                     .column = excerpt.column,
                     .text = excerpt.text,
                     .barriers = {}});
  }
  return votes;
}

} // namespace gputest::passes
