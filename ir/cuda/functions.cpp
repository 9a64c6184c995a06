// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/functions.h"

#include "frontend/llvm_version.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

namespace gputest::ir {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr std::uint64_t kFirstNumber = 0x1000, kStep = 16; // numbers that are no addresses

struct Numbered {
  llvm::Function* function;
  std::uint64_t number;
};

// Replaces uses of the function's address by `number`, and returns the function under its old name.
llvm::Function* without_address(llvm::Function& function, std::uint64_t number) {
  llvm::Function* const direct =
      llvm::Function::Create(function.getFunctionType(), function.getLinkage(),
                             function.getAddressSpace(), "", function.getParent());
  direct->copyAttributesFrom(&function);
  direct->setComdat(function.getComdat());
  direct->splice(direct->begin(), &function);
  direct->copyMetadata(&function, 0);
  for (auto [from, to] : llvm::zip(function.args(), direct->args())) {
    to.takeName(&from);
    from.replaceAllUsesWith(&to);
  }
  for (llvm::Use& use : llvm::make_early_inc_range(function.uses()))
    if (auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
        call && call->isCallee(&use))
      use.set(direct);
  direct->takeName(&function);
  function.replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(function.getContext()), number),
      function.getType()));
  function.eraseFromParent();
  return direct;
}

void choose(llvm::CallInst& call, const std::vector<Numbered>& functions) {
  llvm::Function& caller = *call.getFunction();
  llvm::LLVMContext& context = caller.getContext();
  llvm::BasicBlock* const before = call.getParent();
  llvm::BasicBlock* const after = llvm::SplitBlock(before, &call);
  before->getTerminator()->eraseFromParent();
  llvm::BasicBlock* const none = llvm::BasicBlock::Create(context, "no.function", &caller);
  Builder builder(before);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::SwitchInst* const way = builder.CreateSwitch(
      builder.CreatePtrToInt(call.getCalledOperand(), builder.getInt64Ty()), none);
  std::vector<std::pair<llvm::Value*, llvm::BasicBlock*>> results;
  const std::vector<llvm::Value*> arguments(call.arg_begin(), call.arg_end());
  for (const Numbered& one : functions) {
    if (one.function->getFunctionType() != call.getFunctionType())
      continue;
    llvm::BasicBlock* const block = llvm::BasicBlock::Create(context, "", &caller);
    way->addCase(builder.getInt64(one.number), block);
    builder.SetInsertPoint(block);
    llvm::CallInst* const direct = builder.CreateCall(one.function, arguments);
    direct->setAttributes(call.getAttributes());
    results.emplace_back(direct, block);
    builder.CreateBr(after);
  }
  builder.SetInsertPoint(none);
  builder.CreateCall(caller.getParent()->getOrInsertFunction(
      "gputest_no_function", llvm::FunctionType::get(builder.getVoidTy(), false)));
  builder.CreateBr(after);
  if (!call.getType()->isVoidTy()) {
    llvm::PHINode* const result = llvm::PHINode::Create(
        call.getType(), static_cast<unsigned>(results.size()) + 1, "", after->begin());
    for (const auto& [value, block] : results)
      result->addIncoming(value, block);
    result->addIncoming(llvm::Constant::getNullValue(call.getType()), none);
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

// Returns the same bits as another type; null: the sizes differ.
llvm::Value* as(Builder& builder, llvm::Value* value, llvm::Type* type) {
  const llvm::DataLayout& layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  if (value->getType() == type)
    return value;
  if (layout.getTypeSizeInBits(value->getType()) != layout.getTypeSizeInBits(type) ||
      value->getType()->isAggregateType() || type->isAggregateType())
    return nullptr;
  return builder.CreateBitOrPointerCast(value, type);
}

bool fit(llvm::CallInst& call, llvm::Function& callee) {
  Builder builder(&call);
  std::vector<llvm::Value*> arguments;
  if (call.arg_size() != callee.arg_size())
    return false;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    arguments.push_back(as(builder, call.getArgOperand(i), callee.getArg(i)->getType()));
    if (!arguments.back())
      return false;
  }
  llvm::CallInst* const fitting = builder.CreateCall(&callee, arguments);
  fitting->setDebugLoc(call.getDebugLoc());
  if (!call.getType()->isVoidTy()) {
    llvm::Value* const result = as(builder, fitting, call.getType());
    if (!result) {
      fitting->eraseFromParent();
      return false;
    }
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
  return true;
}

} // namespace

void fit_calls(llvm::Module& module) {
  std::vector<std::pair<llvm::CallInst*, llvm::Function*>> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (auto* const callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand());
            callee && callee->getFunctionType() != call->getFunctionType())
          calls.emplace_back(call, callee);
  for (const auto& [call, callee] : calls)
    fit(*call, *callee); // a call that does not fit is refused as a call by pointer
}

void number_functions(llvm::Module& module) {
  const auto kernels = frontend::llvm_version::cuda_kernels(module); // which only launches call
  std::vector<llvm::Function*> with_address;
  for (llvm::Function& function : module)
    if (!function.isIntrinsic() && !function.isDeclaration() && function.hasAddressTaken() &&
        !kernels.contains(&function))
      with_address.push_back(&function);
  std::vector<Numbered> functions;
  for (llvm::Function* function : with_address) {
    const std::uint64_t number = kFirstNumber + kStep * functions.size();
    functions.push_back({without_address(*function, number), number});
  }
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->isIndirectCall())
        calls.push_back(call);
  for (llvm::CallInst* call : calls)
    choose(*call, functions);
}

} // namespace gputest::ir
