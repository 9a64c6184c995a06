// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/steps.h"

#include "ir/call.h"
#include "ir/lowered_names.h"
#include "simulator/memory/guard.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace gputest::simulator {

std::int64_t steps_left = 0; // NOLINT

namespace {

constexpr std::int64_t kStepsOfCall = 16;
constexpr const char* kStepsOver = "gputest_steps_over";

extern "C" void gputest_steps_over() {
  end_endless(__builtin_return_address(0));
}

// Where the block may be split: an entry block keeps its variables, which are static only there.
llvm::BasicBlock::iterator after_variables(llvm::BasicBlock& block) {
  llvm::BasicBlock::iterator place = block.getFirstInsertionPt();
  if (block.isEntryBlock())
    for (llvm::Instruction& instruction : block)
      if (llvm::isa<llvm::AllocaInst>(instruction))
        place = std::next(instruction.getIterator());
  return place;
}

void count_at(llvm::BasicBlock& block, std::int64_t steps) {
  llvm::Instruction& first = *after_variables(block);
  llvm::IRBuilder<> builder(&first);
  llvm::Type* const word = builder.getInt64Ty();
  llvm::Constant* const left = block.getModule()->getOrInsertGlobal("gputest_steps_left", word);
  llvm::Value* const next = builder.CreateSub(builder.CreateLoad(word, left),
                                              builder.getInt64(static_cast<std::uint64_t>(steps)));
  builder.CreateStore(next, left);
  llvm::Instruction* const over = llvm::SplitBlockAndInsertIfThen(
      builder.CreateICmpSLT(next, builder.getInt64(0)), &first, false,
      llvm::MDBuilder(block.getContext()).createBranchWeights(1, 1 << 20));
  llvm::IRBuilder<> inner(over);
  for (const llvm::Instruction* at = &first; at; at = at->getNextNode())
    if (const llvm::DebugLoc& place = at->getDebugLoc()) {
      inner.SetCurrentDebugLocation(place);
      break;
    }
  ir::call_by_name(inner, kStepsOver, builder.getVoidTy(), {});
}

std::int64_t steps_of(const llvm::BasicBlock& block) {
  std::int64_t steps = 0;
  for (const llvm::Instruction& instruction : block.instructionsWithoutDebug())
    steps += llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)
                 ? kStepsOfCall
                 : 1;
  return steps;
}

// The steps on the longest way through a loop's iteration, without those of the loops in it; null:
// through what is in no loop.
std::int64_t longest_way(llvm::Function& function, const llvm::LoopInfo& loops,
                         const llvm::Loop* loop) {
  std::map<const llvm::BasicBlock*, std::int64_t> to;
  std::int64_t longest = 1;
  for (const llvm::BasicBlock* block :
       llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    if (loop && !loop->contains(block))
      continue;
    std::int64_t steps = loops.getLoopFor(block) == loop ? steps_of(*block) : 0, before = 0;
    for (const llvm::BasicBlock* from : llvm::predecessors(block))
      if (const auto known = to.find(from); known != to.end()) // no way back
        before = std::max(before, known->second);
    to[block] = steps += before;
    longest = std::max(longest, steps);
  }
  return longest;
}

// Functions that each way through recursive calls meets. Whose address is taken may be called by
// anything.
std::set<const llvm::Function*> recursive_in(llvm::Module& module) {
  std::set<const llvm::Function*> found;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    for (const llvm::CallGraphNode* node : *component)
      if (const llvm::Function* const function = node->getFunction();
          function && (component.hasCycle() || function->hasAddressTaken()))
        found.insert(function);
  return found;
}

} // namespace

StepCounter::StepCounter(llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> edges;
  llvm::FindFunctionBackedges(function, edges);
  for (llvm::BasicBlock& block : function)
    if (std::ranges::any_of(edges, [&](const auto& edge) { return edge.second == &block; }))
      places_.emplace_back(&block, 1);
}

void StepCounter::insert() const {
  for (const auto& [block, steps] : places_)
    count_at(*block, steps);
}

void count_steps(llvm::Module& module) {
  const std::set<const llvm::Function*> recursive = recursive_in(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    StepCounter counter(function);
    const bool at_entry = function.getName() == ir::kItemFunction || recursive.contains(&function);
    if (!counter.places_.empty() || at_entry) {
      const llvm::DominatorTree dominators(function);
      const llvm::LoopInfo loops(dominators);
      for (auto& [head, steps] : counter.places_)
        steps = longest_way(function, loops, loops.getLoopFor(head));
      if (at_entry)
        counter.places_.emplace_back(&function.getEntryBlock(),
                                     longest_way(function, loops, nullptr));
    }
    counter.insert();
  }
}

std::vector<NativeSymbol> step_symbols() {
  return {{kStepsOver, reinterpret_cast<void*>(&gputest_steps_over)},
          {"gputest_steps_left", &steps_left}};
}

} // namespace gputest::simulator
