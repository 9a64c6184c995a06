// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/report.h"

#include "ir/places.h"

#include <algorithm>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gputest::simulator {

unsigned number_of_message(ir::KernelShape& shape, const ir::CheckMessage& message) {
  const auto known = std::ranges::find(shape.messages, message);
  const auto number = static_cast<unsigned>(known - shape.messages.begin());
  if (known == shape.messages.end())
    shape.messages.push_back(message);
  return number;
}

void report_where(llvm::IRBuilder<>& builder, CheckedKernel& kernel, llvm::Instruction& at,
                  llvm::Value* bad, const char* kind, const char* text) {
  if (bad->getType()->isVectorTy())
    bad = builder.CreateOrReduce(bad);
  llvm::Instruction* const rare = llvm::SplitBlockAndInsertIfThen(
      bad, &at, false, llvm::MDBuilder(builder.getContext()).createBranchWeights(1, 1 << 20));
  llvm::IRBuilder<> cold(rare);
  const llvm::FunctionCallee tell = kernel.item.getParent()->getOrInsertFunction(
      "gputest_report", cold.getVoidTy(), cold.getPtrTy(), cold.getInt32Ty(), cold.getInt32Ty());
  cold.CreateCall(tell, {kernel.item.getArg(0), cold.getInt32(ir::site_of(at, kernel.shape)),
                         cold.getInt32(number_of_message(kernel.shape, {kind, text}))});
  builder.SetInsertPoint(&at);
}

} // namespace gputest::simulator
