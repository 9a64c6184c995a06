// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/spin_changes.h"

#include "ir/call.h"
#include "ir/cuda/spins.h"
#include "templates/simulator/context.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <set>
#include <vector>

namespace gputest::ir {

const llvm::Value* pointer_of(const llvm::Instruction& instruction) {
  if (const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction))
    return pointer;
  if (const auto* const operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return operation->getPointerOperand();
  const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  return exchange ? exchange->getPointerOperand() : nullptr;
}

bool is_private(const llvm::Value* pointer) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return std::ranges::all_of(
      objects, [](const llvm::Value* object) { return llvm::isa<llvm::AllocaInst>(object); });
}

bool is_of_variant(const llvm::Value* pointer) {
  return llvm::getUnderlyingObject(pointer, 0)->getName().starts_with("gputest_");
}

namespace {

using Builder = llvm::IRBuilder<>;

// Whether it points to the context, the block of arguments or the slots.
bool is_simulators(const llvm::Value* pointer) {
  const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
  if (llvm::isa<llvm::Argument>(object))
    return true;
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object);
  const auto* const argument =
      load ? llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand(), 0))
           : nullptr;
  return argument && argument->getArgNo() == 0;
}

// Whether a kept function only records.
bool only_records(const llvm::Function& function) {
  return !function.isDeclaration() &&
         std::ranges::all_of(llvm::instructions(function),
                             [](const llvm::Instruction& instruction) {
                               const llvm::Value* const pointer = pointer_of(instruction);
                               return !instruction.mayWriteToMemory() ||
                                      (pointer && (is_private(pointer) || is_of_variant(pointer)));
                             });
}

class Changes {
public:
  explicit Changes(llvm::Function& item) : item_(item) {}

  void run() {
    llvm::SetVector<llvm::Instruction*> writes;
    std::vector<llvm::CallInst*> polls;
    const llvm::DominatorTree tree(item_);
    const llvm::LoopInfo loops(tree);
    for (llvm::Instruction& stop : llvm::instructions(item_)) {
      if (is_call(stop, kPollFunction))
        polls.push_back(llvm::cast<llvm::CallInst>(&stop));
      if (!stop.hasMetadata(kSpinMark))
        continue;
      const llvm::Loop* const loop = loops.getLoopFor(stop.getParent());
      if (!loop) // a block in an irreducible cycle
        continue;
      for (llvm::BasicBlock* block : loop->blocks())
        waiting_.insert(block);
      for (llvm::BasicBlock* block : loop->getOutermostLoop()->blocks())
        for (llvm::Instruction& instruction : *block)
          if (is_write(instruction))
            writes.insert(&instruction);
    }
    for (llvm::Instruction* write : writes)
      note(*write);
    for (llvm::CallInst* poll : polls)
      watch(*poll);
  }

private:
  static bool is_write(const llvm::Instruction& instruction) {
    if (!instruction.mayWriteToMemory() || instruction.hasMetadata("nosanitize"))
      return false;
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const llvm::Function* const callee = call->getCalledFunction();
      if (const auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(call))
        return !is_private(memory->getDest()) && !is_simulators(memory->getDest());
      return callee && !callee->isIntrinsic() && !only_records(*callee) &&
             (!callee->getName().starts_with("gputest_") ||
              callee->getName() == "gputest_vprintf" || callee->getName() == "gputest_malloc" ||
              callee->getName() == "gputest_free" || callee->getName() == "gputest_arrive");
    }
    const llvm::Value* const pointer = pointer_of(instruction);
    return pointer && !llvm::isa<llvm::LoadInst>(instruction) && !is_private(pointer) &&
           !is_simulators(pointer) && !is_of_variant(pointer);
  }

  llvm::Value* word(Builder& builder, std::size_t offset) const {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), item_.getArg(0), offset);
  }

  void add(Builder& builder, llvm::Value* changed) const {
    llvm::Value* const place = word(builder, offsetof(gputest_context, changes));
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt64Ty(), place), changed),
                        place);
  }

  llvm::Value* bits_of(Builder& builder, llvm::Value* value) const {
    const llvm::DataLayout& layout = item_.getParent()->getDataLayout();
    if (value->getType()->isPointerTy())
      return builder.CreatePtrToInt(value, builder.getInt64Ty());
    return builder.CreateZExtOrTrunc(
        builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(
                                         layout.getTypeSizeInBits(value->getType())))),
        builder.getInt64Ty());
  }

  llvm::Value* differ(Builder& builder, llvm::Value* a, llvm::Value* b) const {
    return builder.CreateXor(bits_of(builder, a), bits_of(builder, b));
  }

  // In waiting loops, compares the stored value with the old one. In other loops, each store counts
  // as a change.
  void note(llvm::Instruction& write) const {
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&write);
        store && waiting_.contains(store->getParent()) &&
        store->getValueOperand()->getType()->isSingleValueType() &&
        !store->getValueOperand()->getType()->isVectorTy()) {
      Builder builder(store);
      llvm::Value* const before = builder.CreateAlignedLoad(
          store->getValueOperand()->getType(), store->getPointerOperand(), store->getAlign());
      add(builder, differ(builder, before, store->getValueOperand()));
      return;
    }
    Builder builder(write.getNextNode());
    llvm::Value* before = nullptr;
    if (llvm::isa<llvm::AtomicRMWInst>(write))
      before = &write;
    else if (llvm::isa<llvm::AtomicCmpXchgInst>(write))
      before = builder.CreateExtractValue(&write, 0);
    if (before)
      add(builder, differ(builder, before,
                          builder.CreateAlignedLoad(before->getType(),
                                                    const_cast<llvm::Value*>(pointer_of(write)),
                                                    llvm::Align(1))));
    else
      add(builder, builder.getInt64(1));
  }

  // Calls the simulator only if it is watching.
  void watch(llvm::CallInst& poll) const {
    Builder builder(&poll);
    llvm::Value* const watching = builder.CreateLoad(
        builder.getInt64Ty(), word(builder, offsetof(gputest_context, watching)));
    Builder rare(llvm::SplitBlockAndInsertIfThen(
        builder.CreateICmpNE(watching, builder.getInt64(0)), &poll, false));
    call_by_name(rare, "gputest_polls", rare.getVoidTy(), {poll.getArgOperand(0)});
    poll.eraseFromParent();
  }

  llvm::Function& item_;
  std::set<const llvm::BasicBlock*> waiting_; // in loops that wait
};

} // namespace

void note_changes(llvm::Function& item) {
  Changes(item).run();
}

} // namespace gputest::ir
