// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/steps.h"

#include "ir/call.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <utility>

namespace gputest::testgen {

StepCounter::StepCounter(llvm::Function& item) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> edges;
  llvm::FindFunctionBackedges(item, edges);
  for (llvm::BasicBlock& block : item)
    if (std::ranges::any_of(edges, [&](const auto& edge) { return edge.second == &block; }))
      heads_.push_back(&block);
}

void StepCounter::insert() const {
  for (llvm::BasicBlock* head : heads_) {
    llvm::Instruction& first = *head->getFirstInsertionPt();
    llvm::IRBuilder<> builder(&first);
    llvm::Module& module = *head->getModule();
    llvm::Type* const word = builder.getInt64Ty();
    llvm::Constant* const left = module.getOrInsertGlobal("gputest_steps_left", word);
    llvm::Value* const next =
        builder.CreateSub(builder.CreateLoad(word, left), builder.getInt64(1));
    builder.CreateStore(next, left);
    llvm::Instruction* const over = llvm::SplitBlockAndInsertIfThen(
        builder.CreateICmpSLT(next, builder.getInt64(0)), &first, false,
        llvm::MDBuilder(head->getContext()).createBranchWeights(1, 1 << 20));
    llvm::IRBuilder<> inner(over);
    for (const llvm::Instruction* at = &first; at; at = at->getNextNode())
      if (const llvm::DebugLoc& place = at->getDebugLoc()) {
        inner.SetCurrentDebugLocation(place);
        break;
      }
    ir::call_by_name(inner, "gputest_label_over", builder.getVoidTy(), {});
  }
}

} // namespace gputest::testgen
