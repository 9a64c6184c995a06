// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/lock_step.h"

#include "ir/analysis_managers.h"
#include "ir/call.h"
#include "ir/cuda/spin_changes.h"
#include "ir/host.h"
#include "templates/simulator/context.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <map>
#include <utility>
#include <vector>

namespace gputest::ir {
namespace {

// What an instruction, or some code, does to shared memory.
struct Touched {
  static constexpr unsigned kLocal = 1, kGlobal = 2;
  unsigned read = 0, written = 0; // kinds of memory

  explicit operator bool() const { return (read | written) != 0; }
  bool operator==(const Touched&) const = default;
  void add(const Touched& more) {
    read |= more.read;
    written |= more.written;
  }
  bool conflicts(const Touched& earlier) const {
    return (written & (earlier.read | earlier.written)) != 0 || (read & earlier.written) != 0;
  }
};

// The launch's own memory, and the state of coverage or mutants, count as private.
unsigned shared_memory_of(const llvm::Value* pointer) {
  const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
  if (llvm::isa<llvm::Argument>(object) || object->getName() == "gputest" ||
      is_of_variant(pointer) || is_private(pointer))
    return 0;
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  const unsigned space =
      variable ? variable->getAddressSpace() : pointer->getType()->getPointerAddressSpace();
  if (space == kLocalSpace)
    return Touched::kLocal;
  if (space == kGlobalSpace || variable)
    return variable && variable->isConstant() ? 0U : Touched::kGlobal;
  return space == kConstantSpace ? 0U : Touched::kLocal | Touched::kGlobal;
}

Touched touched_by_call(const llvm::CallBase& call) {
  if (const auto* const copy = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
    Touched touched{.read = 0, .written = shared_memory_of(copy->getRawDest())};
    if (const auto* const transfer = llvm::dyn_cast<llvm::MemTransferInst>(copy))
      touched.read = shared_memory_of(transfer->getRawSource());
    return touched;
  }
  Touched touched;
  if (llvm::isa<llvm::IntrinsicInst>(call) || call.doesNotAccessMemory())
    return touched;
  for (const llvm::Value* operand : call.args())
    if (operand->getType()->isPointerTy())
      touched.written |= shared_memory_of(operand);
  touched.read = touched.written;
  return touched;
}

Touched touched_by(const llvm::Instruction& instruction) {
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return touched_by_call(*call);
  const llvm::Value* const pointer = pointer_of(instruction);
  if (!pointer || instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return {};
  const unsigned memory = shared_memory_of(pointer);
  return {.read = instruction.mayReadFromMemory() ? memory : 0,
          .written = instruction.mayWriteToMemory() ? memory : 0};
}

bool is_barrier_of_group(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == "_Z7barrierj" ||
                    callee->getName().starts_with("_Z18work_group_barrierj"));
}

// The order of blocks in which lanes go on: a branch before the place where its paths meet, and a
// loop before what follows it. Its header comes after the rest of the loop, where lanes wait for
// those that are still in the iteration before.
class StepOrder {
public:
  explicit StepOrder(llvm::Function& item) : tree_(item), loops_(tree_), blocks_(&item) {
    add(nullptr);
    for (llvm::BasicBlock& block : item)
      places_.try_emplace(&block, static_cast<unsigned>(places_.size()));
  }
  unsigned place_of(const llvm::BasicBlock* block) const { return places_.at(block); }

private:
  // Adds the blocks of a loop; null: of the function.
  void add(const llvm::Loop* loop) {
    for (const llvm::BasicBlock* block : blocks_) {
      const llvm::Loop* within = loops_.getLoopFor(block);
      if (places_.contains(block) ||
          (loop && (!loop->contains(block) || block == loop->getHeader())))
        continue;
      while (within && within != loop && within->getParentLoop() != loop)
        within = within->getParentLoop();
      if (within && within != loop)
        add(within);
      else
        places_.try_emplace(block, static_cast<unsigned>(places_.size()));
    }
    if (loop)
      places_.try_emplace(loop->getHeader(), static_cast<unsigned>(places_.size()));
  }

  llvm::DominatorTree tree_;
  llvm::LoopInfo loops_;
  llvm::ReversePostOrderTraversal<llvm::Function*> blocks_;
  std::map<const llvm::BasicBlock*, unsigned> places_;
};

// The instructions before which lanes wait.
class StepStops {
public:
  explicit StepStops(llvm::Function& item) : item_(item), later_(item), tree_(item), loops_(tree_) {
    for (const llvm::BasicBlock& block : item_)
      for (const llvm::Instruction& instruction : block)
        touched_[&block].add(touched_by(instruction));
    find_what_follows();
    for (llvm::BasicBlock& block : item_)
      look_at_decision(block);
    while (changed_) {
      changed_ = false;
      for (llvm::BasicBlock& block : item_)
        look_at_accesses(block);
    }
  }

  // In the order in which lanes go on.
  std::vector<llvm::Instruction*> in_order() const {
    const StepOrder order(item_);
    llvm::DenseMap<const llvm::Instruction*, unsigned> places;
    for (const llvm::Instruction& instruction : llvm::instructions(item_))
      places[&instruction] = static_cast<unsigned>(places.size());
    std::vector<llvm::Instruction*> all(stops_.begin(), stops_.end());
    std::ranges::sort(all, {}, [&](const llvm::Instruction* stop) {
      return std::pair(order.place_of(stop->getParent()), places.at(stop));
    });
    return all;
  }

private:
  // Whether shared memory is accessed in a block, or behind it.
  void find_what_follows() {
    for (bool changes = true; changes;) {
      changes = false;
      for (const llvm::BasicBlock& block : item_)
        if (!touches_.contains(&block) &&
            (touched_.at(&block) ||
             llvm::any_of(llvm::successors(&block),
                          [&](const llvm::BasicBlock* next) { return touches_.contains(next); })))
          changes = touches_.insert(&block).second;
    }
  }

  void look_at_decision(llvm::BasicBlock& block) {
    llvm::Instruction* const decision = block.getTerminator();
    if (decision->getNumSuccessors() < 2)
      return;
    const auto* const node = later_.getNode(&block);
    llvm::BasicBlock* const meeting =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    llvm::SetVector<llvm::BasicBlock*> within; // its paths
    std::vector<llvm::BasicBlock*> open(llvm::succ_begin(&block), llvm::succ_end(&block));
    bool touches = false;
    while (!open.empty()) {
      llvm::BasicBlock* const next = open.back();
      open.pop_back();
      if (!within.insert(next) || next == meeting)
        continue;
      touches = touches || touched_.at(next);
      open.insert(open.end(), llvm::succ_begin(next), llvm::succ_end(next));
    }
    if (!touches)
      return;
    stops_.insert(decision);
    for (llvm::BasicBlock* const one : within) // where some of its paths meet, or ways of a loop
      if (touches_.contains(one) &&
          (one == meeting || one->hasNPredecessorsOrMore(2) || leaves_loop(*one)))
        stops_.insert(&*one->getFirstInsertionPt());
  }

  // Whether lanes come to the block from a loop, perhaps after different numbers of iterations.
  bool leaves_loop(const llvm::BasicBlock& block) const {
    return llvm::any_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* before) {
      const llvm::Loop* const loop = loops_.getLoopFor(before);
      return loop && !loop->contains(&block);
    });
  }

  void look_at_accesses(llvm::BasicBlock& block) {
    Touched done = before_[&block];
    for (llvm::Instruction& instruction : block) {
      const Touched now = touched_by(instruction);
      if (now.conflicts(done))
        stops_.insert(&instruction);
      if (stops_.contains(&instruction) || is_barrier_of_group(instruction))
        done = {};
      done.add(now);
    }
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      Touched there = before_[next];
      there.add(done);
      changed_ = changed_ || there != before_[next];
      before_[next] = there;
    }
  }

  llvm::Function& item_;
  llvm::PostDominatorTree later_;
  llvm::DominatorTree tree_;
  llvm::LoopInfo loops_;
  std::map<const llvm::BasicBlock*, Touched> touched_, before_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> touches_;
  llvm::SetVector<llvm::Instruction*> stops_;
  bool changed_ = true;
};

} // namespace

void keep_in_step(llvm::Function& item) {
  AnalysisManagers analyses; // pointers in variables become values, so that their origin is visible
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.run(item, analyses.functions);
  unsigned number = 0;
  for (llvm::Instruction* const stop : StepStops(item).in_order()) {
    llvm::IRBuilder<> builder(stop);
    call_by_name(builder, "gputest_warp", builder.getInt64Ty(),
                 {builder.getInt32(GPUTEST_WARP_STEP), builder.getInt64(0), builder.getInt64(0),
                  builder.getInt32(++number)});
  }
}

} // namespace gputest::ir
