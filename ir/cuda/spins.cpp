// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/spins.h"

#include "ir/analysis_managers.h"
#include "ir/call.h"
#include "ir/cuda/spin_changes.h"
#include "ir/lowered_names.h"
#include "templates/simulator/context.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace gputest::ir {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr const char* kNumber = "gputest.number"; // marks instructions during the analysis of loops

// Whether it is a read that sees what others write meanwhile.
bool may_be_waited_for(const llvm::Instruction& instruction) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic() || load->hasMetadata(kMayWait);
  return llvm::isa<llvm::AtomicRMWInst>(instruction) ||
         llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
}

bool is_volatile_load(const llvm::Instruction& instruction) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->isVolatile();
}

bool is_fence(const llvm::Instruction& instruction) {
  return is_call(instruction, kFenceFunction);
}

// Whether an atomic operation may leave the old value. An addition is progress.
bool may_change_nothing(const llvm::AtomicRMWInst& operation) {
  using Op = llvm::AtomicRMWInst;
  const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(operation.getValOperand());
  switch (operation.getOperation()) {
  case Op::Add:
  case Op::Sub:
  case Op::Xor:
    return number && number->isZero();
  case Op::Xchg:
  case Op::And:
  case Op::Or:
  case Op::Min:
  case Op::Max:
  case Op::UMin:
  case Op::UMax:
    return true;
  default:
    return false;
  }
}

using Blocks = std::set<const llvm::BasicBlock*>;

// Whether control never returns: traps and failed assertions.
Blocks dead_ends(const llvm::Function& function) {
  Blocks ends;
  for (const llvm::BasicBlock* block : llvm::post_order(&function)) {
    const llvm::Instruction& last = *block->getTerminator();
    if (llvm::isa<llvm::UnreachableInst>(last) ||
        (last.getNumSuccessors() > 0 &&
         llvm::all_of(llvm::successors(block),
                      [&](const llvm::BasicBlock* next) { return ends.contains(next); })))
      ends.insert(block);
  }
  return ends;
}

// A loop of a function in SSA form.
class Waiting {
public:
  Waiting(const llvm::Loop& loop, const llvm::DominatorTree& tree, const Blocks& dead_ends)
      : loop_(loop), tree_(tree) {
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const llvm::Instruction& instruction : *block)
        fenced_ = fenced_ || is_fence(instruction);
    llvm::SmallVector<llvm::Loop::Edge, 4> exits;
    loop_.getExitEdges(exits);
    // An exit to a thread's end counts only if there is no other.
    const auto ends = [&](const llvm::Loop::Edge& exit) { return dead_ends.contains(exit.second); };
    if (!std::ranges::all_of(exits, ends))
      llvm::erase_if(exits, ends);
    for (const llvm::Loop::Edge& exit : exits)
      depend_on_branch(*exit.first);
    while (!open_.empty()) {
      const llvm::Instruction& instruction = *open_.pop_back_val();
      look_at(instruction);
    }
  }

  // Returns the reads that exits depend on; empty: the loop does not wait.
  const llvm::SetVector<const llvm::Instruction*>& reads() const { return reads_; }

private:
  void depend_on(const llvm::Value* value) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && loop_.contains(instruction) && seen_.insert(instruction).second)
      open_.push_back(instruction);
  }

  void depend_on_branch(const llvm::BasicBlock& block) {
    const llvm::Instruction& end = *block.getTerminator();
    if (const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&end);
        branch && branch->isConditional())
      depend_on(branch->getCondition());
    else if (const auto* const way = llvm::dyn_cast<llvm::SwitchInst>(&end))
      depend_on(way->getCondition());
  }

  // Adds the decisions by which control reaches `block` from `top`.
  void depend_on_ways(const llvm::BasicBlock* block, const llvm::BasicBlock* top) {
    for (const auto* node = tree_.getNode(block); node && loop_.contains(node->getBlock());
         node = node->getIDom()) {
      if (node->getBlock() != block || block == top)
        depend_on_branch(*node->getBlock());
      if (node->getBlock() == top)
        return;
    }
  }

  void look_at(const llvm::PHINode& phi) {
    const llvm::BasicBlock* top = nullptr;
    unsigned inside = 0;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::BasicBlock* const from = phi.getIncomingBlock(i);
      depend_on(phi.getIncomingValue(i));
      if (!loop_.contains(from))
        continue;
      ++inside;
      top = top ? tree_.findNearestCommonDominator(const_cast<llvm::BasicBlock*>(top), from) : from;
    }
    for (unsigned i = 0; i < phi.getNumIncomingValues() && inside > 1; ++i)
      if (loop_.contains(phi.getIncomingBlock(i)))
        depend_on_ways(phi.getIncomingBlock(i), top);
  }

  // Whether the loop itself writes there, or to memory that may be the same.
  void look_at_memory(const llvm::LoadInst& load) {
    const llvm::Value* const object = llvm::getUnderlyingObject(load.getPointerOperand(), 0);
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const llvm::Instruction& instruction : *block) {
        const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (!store || llvm::getUnderlyingObject(store->getPointerOperand(), 0) != object)
          continue;
        depend_on(store->getValueOperand());
        depend_on_ways(block, loop_.getHeader());
      }
  }

  bool fails_when_others_come_between(const llvm::Value* value) const {
    const auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(value);
    const auto* const exchange =
        part ? llvm::dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()) : nullptr;
    return exchange && loop_.contains(exchange) &&
           !loop_.isLoopInvariant(exchange->getCompareOperand());
  }

  void look_at(const llvm::Instruction& instruction) {
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      return look_at(*phi);
    if (llvm::isa<llvm::ExtractValueInst>(instruction) &&
        fails_when_others_come_between(&instruction))
      return;
    if (llvm::isa<llvm::ICmpInst>(instruction) &&
        std::ranges::any_of(instruction.operands(), [&](const llvm::Use& operand) {
          return fails_when_others_come_between(operand);
        }))
      return;
    if (const llvm::Value* const pointer = pointer_of(instruction)) {
      const auto* const operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!is_private(pointer) && !is_of_variant(pointer) &&
          (!operation || may_change_nothing(*operation)) &&
          (!load || may_be_waited_for(*load) || (fenced_ && loop_.isLoopInvariant(pointer))))
        reads_.insert(&instruction);
      else if (load)
        look_at_memory(*load);
      if (operation || !load)
        return;
    }
    for (const llvm::Use& operand : instruction.operands())
      depend_on(operand);
  }

  const llvm::Loop& loop_;
  const llvm::DominatorTree& tree_;
  bool fenced_ = false;
  llvm::SmallVector<const llvm::Instruction*, 32> open_;
  std::set<const llvm::Instruction*> seen_;
  llvm::SetVector<const llvm::Instruction*> reads_;
};

// The way back of a waiting loop, by numbers of blocks, and the numbers of its reads.
struct WayBack {
  unsigned from = 0, to = 0;
  std::vector<unsigned> reads;
};

std::vector<llvm::Instruction*> number_accesses(llvm::Function& item) {
  std::vector<llvm::Instruction*> accesses;
  Builder builder(item.getContext());
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (llvm::isa<llvm::LoadInst>(instruction) || may_be_waited_for(instruction)) {
      instruction.setMetadata(
          kNumber,
          llvm::MDNode::get(item.getContext(), llvm::ConstantAsMetadata::get(builder.getInt32(
                                                   static_cast<unsigned>(accesses.size())))));
      accesses.push_back(&instruction);
    }
  return accesses;
}

unsigned number_of(const llvm::Instruction& instruction) {
  return static_cast<unsigned>(
      llvm::mdconst::extract<llvm::ConstantInt>(instruction.getMetadata(kNumber)->getOperand(0))
          ->getZExtValue());
}

// Analyses a copy in SSA form, which has the same blocks. `accesses`: by the numbers of reads.
std::vector<WayBack> ways_back(llvm::Function& item, std::vector<llvm::Instruction*>& accesses) {
  accesses = number_accesses(item);
  llvm::ValueToValueMapTy map;
  llvm::Function* const copy = llvm::CloneFunction(&item, map);
  AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::InstSimplifyPass());
  passes.run(*copy, analyses.functions);
  const llvm::DominatorTree tree(*copy);
  const llvm::LoopInfo loops(tree);
  const Blocks ends = dead_ends(*copy);
  std::map<const llvm::BasicBlock*, unsigned> numbers;
  for (const llvm::BasicBlock& block : *copy)
    numbers.emplace(&block, static_cast<unsigned>(numbers.size()));
  std::vector<WayBack> ways;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const Waiting waiting(*loop, tree, ends);
    if (waiting.reads().empty())
      continue;
    WayBack way{.to = numbers.at(loop->getHeader()), .reads = {}};
    for (const llvm::Instruction* read : waiting.reads())
      if (read->hasMetadata(kNumber))
        way.reads.push_back(number_of(*read));
    for (const llvm::BasicBlock* before : llvm::predecessors(loop->getHeader()))
      if (loop->contains(before)) {
        way.from = numbers.at(before);
        if (std::ranges::none_of(ways, [&](const WayBack& other) {
              return other.from == way.from && other.to == way.to;
            }))
          ways.push_back(way);
      }
  }
  analyses.functions.clear();
  copy->eraseFromParent();
  for (llvm::Instruction* access : accesses)
    access->setMetadata(kNumber, nullptr);
  return ways;
}

bool has_candidates(llvm::Function& item) {
  if (std::ranges::none_of(llvm::instructions(item), [](const llvm::Instruction& instruction) {
        return may_be_waited_for(instruction) || is_fence(instruction);
      }))
    return false;
  const llvm::DominatorTree tree(item);
  const llvm::LoopInfo loops(tree);
  return std::ranges::any_of(llvm::instructions(item), [&](const llvm::Instruction& instruction) {
    return (may_be_waited_for(instruction) || is_fence(instruction)) &&
           loops.getLoopFor(instruction.getParent());
  });
}

} // namespace

bool reads_what_others_write(const llvm::Function& function) {
  return std::ranges::any_of(
      llvm::instructions(function), [](const llvm::Instruction& instruction) {
        const auto* const operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
        const llvm::Value* const pointer = pointer_of(instruction);
        return may_be_waited_for(instruction) && !is_private(pointer) && !is_of_variant(pointer) &&
               (!operation || operation->getOperation() == llvm::AtomicRMWInst::Xchg);
      });
}

void mark_polls(llvm::Function& item) {
  if (std::ranges::none_of(llvm::instructions(item), is_volatile_load) || !has_candidates(item))
    return;
  std::vector<llvm::Instruction*> accesses;
  for (const WayBack& way : ways_back(item, accesses))
    for (const unsigned read : way.reads)
      if (llvm::isa<llvm::LoadInst>(accesses[read]))
        accesses[read]->setMetadata(kPolled, llvm::MDNode::get(item.getContext(), {}));
}

void stop_in_spins(llvm::Function& item) {
  if (!has_candidates(item))
    return;
  std::vector<llvm::Instruction*> accesses;
  const std::vector<WayBack> ways = ways_back(item, accesses);
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : item)
    blocks.push_back(&block);
  std::set<unsigned> polled;
  for (const WayBack& way : ways) {
    llvm::BasicBlock* const between = llvm::SplitEdge(blocks[way.from], blocks[way.to]);
    Builder builder(between->getTerminator());
    llvm::Instruction* place = nullptr;
    for (const unsigned read : way.reads) {
      polled.insert(read);
      if (!place && accesses[read]->getDebugLoc())
        place = accesses[read];
    }
    builder.SetCurrentDebugLocation(place ? place->getDebugLoc()
                                          : blocks[way.from]->getTerminator()->getDebugLoc());
    call_by_name(builder, "gputest_warp", builder.getInt64Ty(),
                 {builder.getInt32(GPUTEST_WARP_SPIN), builder.getInt64(0), builder.getInt64(0),
                  builder.getInt32(0)});
  }
  for (const unsigned read : polled) {
    Builder builder(accesses[read]);
    call_by_name(builder, kPollFunction, builder.getVoidTy(),
                 {builder.CreateAddrSpaceCast(const_cast<llvm::Value*>(pointer_of(*accesses[read])),
                                              builder.getPtrTy())});
  }
}

} // namespace gputest::ir
