// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions by name, such as native functions and OpenCL's built-ins.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace gputest::ir {

// Emits a call of `name`, which throws nothing. Declares the function if the module does not have
// it, with parameters of the arguments' types.
inline llvm::CallInst* call_by_name(llvm::IRBuilderBase& builder, llvm::StringRef name,
                                    llvm::Type* result,
                                    llvm::ArrayRef<llvm::Value*> arguments = {}) {
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::CallInst* const call = builder.CreateCall(
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)), arguments);
  call->setDoesNotThrow();
  return call;
}

// Calls OpenCL's barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE): CUDA's order both.
inline llvm::CallInst* call_barrier(llvm::IRBuilderBase& builder) {
  return call_by_name(builder, "_Z7barrierj", builder.getVoidTy(), {builder.getInt32(3)});
}

// Whether the instruction calls that function.
inline bool is_call(const llvm::Instruction& instruction, llvm::StringRef name) {
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

} // namespace gputest::ir
