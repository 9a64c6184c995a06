// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/lock_step.h"

#include "ir/analysis_managers.h"
#include "ir/call.h"
#include "ir/cuda/spin_changes.h"
#include "ir/host.h"
#include "templates/simulator/context.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <algorithm>

namespace gputest::ir {
namespace {

bool is_volatile(const llvm::Instruction& instruction) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isVolatile();
  const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->isVolatile();
}

bool is_shared(const llvm::Value* pointer) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return std::ranges::any_of(objects, [](const llvm::Value* object) {
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return variable && variable->getAddressSpace() == kLocalSpace;
  });
}

// Turns pointers in variables into SSA values, so that their origin is visible.
void promote_pointers(llvm::Function& item) {
  AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.run(item, analyses.functions);
}

// The accesses of __shared__ memory that threads of a warp may have made since their last wait.
enum Done : unsigned { kNothing = 0, kRead = 1, kWritten = 2 };

unsigned done_by(const llvm::Instruction& instruction) {
  if (const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
      pointer && is_private(pointer))
    return kNothing;
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    if (const llvm::Function* const callee = call->getCalledFunction();
        callee && (callee->isIntrinsic() || callee->getName().contains("get_"))) // ids and sizes
      return call->mayWriteToMemory() && callee->isIntrinsic() ? kRead | kWritten : kNothing;
  return (instruction.mayReadFromMemory() ? kRead : 0U) |
         (instruction.mayWriteToMemory() ? kWritten : 0U);
}

bool is_barrier(const llvm::Instruction& instruction) {
  return is_call(instruction, "_Z7barrierj");
}

// The accesses before which threads wait: a read after a write, and a write after anything. A
// barrier in between makes the wait unnecessary.
class Stops {
public:
  explicit Stops(llvm::Function& item) : item_(item) {
    while (changed_) {
      changed_ = false;
      for (llvm::BasicBlock& block : item_)
        look_at(block);
    }
  }
  const llvm::SetVector<llvm::Instruction*>& all() const { return stops_; }

private:
  void look_at(llvm::BasicBlock& block) {
    unsigned done = before_[&block];
    for (llvm::Instruction& instruction : block) {
      if (is_barrier(instruction)) {
        done = kNothing;
        continue;
      }
      const unsigned now = done_by(instruction);
      if (is_volatile(instruction) && is_shared(llvm::getLoadStorePointerOperand(&instruction))) {
        if (now & kWritten ? done != kNothing : (done & kWritten) != 0)
          stops_.insert(&instruction);
        if (stops_.contains(&instruction))
          done = kNothing;
      }
      done |= now;
    }
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      if (unsigned& there = before_[next]; (there | done) != there) {
        there |= done;
        changed_ = true;
      }
  }

  llvm::Function& item_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> before_;
  llvm::SetVector<llvm::Instruction*> stops_;
  bool changed_ = true;
};

} // namespace

bool stop_at_volatile(llvm::Function& item) {
  if (std::ranges::none_of(llvm::instructions(item), is_volatile) ||
      std::ranges::none_of(item.getParent()->globals(), [](const llvm::GlobalVariable& variable) {
        return variable.getAddressSpace() == kLocalSpace && !variable.use_empty();
      })) // promote_pointers() takes long for a kernel of thousands of atomic operations
    return false;
  promote_pointers(item);
  const Stops stops(item);
  for (llvm::Instruction* access : stops.all()) {
    llvm::IRBuilder<> builder(access);
    llvm::Type *const half = builder.getInt32Ty(), *const word = builder.getInt64Ty();
    builder.CreateCall(
        item.getParent()->getOrInsertFunction(
            "gputest_warp", llvm::FunctionType::get(word, {half, word, word, half}, false)),
        {builder.getInt32(GPUTEST_WARP_STEP), builder.getInt64(0), builder.getInt64(0),
         builder.getInt32(0)});
  }
  return !stops.all().empty();
}

} // namespace gputest::ir
