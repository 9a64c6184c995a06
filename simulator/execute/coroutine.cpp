// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/coroutine.h"

#include "frontend/llvm_version.h"
#include "ir/call.h"
#include "ir/error.h"
#include "ir/lowered_names.h"
#include "ir/optimise.h"
#include "simulator/execute/stops.h"
#include "simulator/execute/visits.h"
#include "templates/simulator/context.h"

#include <algorithm>
#include <cstddef>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

llvm::Function* with_frame(llvm::Module& module) {
  llvm::Function* const item = module.getFunction(ir::kItemFunction);
  std::vector<llvm::Type*> types(item->getFunctionType()->param_begin(),
                                 item->getFunctionType()->param_end());
  types.push_back(llvm::PointerType::getUnqual(module.getContext()));
  llvm::Function* const begin =
      llvm::Function::Create(llvm::FunctionType::get(item->getReturnType(), types, false),
                             llvm::Function::ExternalLinkage, "gputest_begin", module);
  begin->copyAttributesFrom(item);
  begin->splice(begin->begin(), item);
  begin->setSubprogram(item->getSubprogram());
  item->setSubprogram(nullptr);
  for (unsigned i = 0; i < item->arg_size(); ++i) {
    begin->getArg(i)->takeName(item->getArg(i));
    item->getArg(i)->replaceAllUsesWith(begin->getArg(i));
  }
  item->eraseFromParent();
  begin->addFnAttr(llvm::Attribute::PresplitCoroutine);
  return begin;
}

void set_status(Builder& builder, llvm::Function& function, llvm::Value* status) {
  builder.CreateStore(status,
                      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(0),
                                                         offsetof(gputest_context, status)));
}

void set_visit(Builder& builder, llvm::Function& function, const llvm::CallInst& visit) {
  const auto set = [&](std::size_t offset, llvm::Value* value) {
    builder.CreateStore(
        value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(0),
                                                  offsetof(gputest_context, visit) + offset));
  };
  using Range = gputest_visit::gputest_range;
  constexpr std::size_t kFirst = offsetof(gputest_visit, ranges), kSecond = kFirst + sizeof(Range);
  set(kFirst + offsetof(Range, begin), visit.getArgOperand(0));
  set(kFirst + offsetof(Range, size), visit.getArgOperand(1));
  set(kFirst + offsetof(Range, effect), visit.getArgOperand(2));
  set(kSecond + offsetof(Range, begin), visit.getArgOperand(3));
  set(kSecond + offsetof(Range, size), visit.getArgOperand(4));
  set(kSecond + offsetof(Range, effect), builder.getInt64(GPUTEST_READS));
  set(offsetof(gputest_visit, value), visit.getArgOperand(5));
  set(offsetof(gputest_visit, site), visit.getArgOperand(6));
  set_status(builder, function, builder.getInt64(GPUTEST_VISITS));
}

bool stops_anywhere(const llvm::Function& function) {
  return std::ranges::any_of(
      function, [](const llvm::BasicBlock& block) { return std::ranges::any_of(block, is_stop); });
}

// LLVM makes no coroutine of a function that never suspends. gputest_resume is then never called.
void run_to_the_end(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  function.removeFnAttr(llvm::Attribute::PresplitCoroutine);
  for (llvm::BasicBlock& block : function)
    if (auto* const end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
      Builder builder(end);
      set_status(builder, function, builder.getInt64(0));
    }
  Builder builder(module.getContext());
  llvm::Function* const resume = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false),
      llvm::Function::ExternalLinkage, "gputest_resume", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", resume));
  builder.CreateRetVoid();
}

// Suspends where the work-item stops.
void suspend_at_stops(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  const auto intrinsic = [&](llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types = {}) {
    return frontend::llvm_version::intrinsic(module, id, types);
  };
  llvm::Value* const none = llvm::ConstantTokenNone::get(context);

  Builder builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  llvm::Constant* const null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::Value* const id = builder.CreateCall(intrinsic(llvm::Intrinsic::coro_id),
                                             {builder.getInt32(64), null, null, null});
  llvm::Value* const handle =
      builder.CreateCall(intrinsic(llvm::Intrinsic::coro_begin), {id, function.getArg(5)});

  llvm::BasicBlock* const leave = llvm::BasicBlock::Create(context, "leave", &function);
  builder.SetInsertPoint(leave);
  builder.CreateCall(intrinsic(llvm::Intrinsic::coro_end), {handle, builder.getFalse(), none});
  builder.CreateRetVoid();

  std::vector<llvm::CallInst*> stops;
  std::vector<llvm::ReturnInst*> returns;
  for (llvm::BasicBlock& block : function) {
    if (&block == leave)
      continue;
    for (llvm::Instruction& instruction : block) {
      if (is_stop(instruction))
        stops.push_back(llvm::cast<llvm::CallInst>(&instruction));
      if (auto* const end = llvm::dyn_cast<llvm::ReturnInst>(&instruction))
        returns.push_back(end);
    }
  }
  for (llvm::ReturnInst* end : returns) {
    builder.SetInsertPoint(end);
    set_status(builder, function, builder.getInt64(0));
    builder.CreateBr(leave);
    end->eraseFromParent();
  }
  for (llvm::CallInst* stop : stops) {
    llvm::BasicBlock* const before = stop->getParent();
    llvm::BasicBlock* const after = llvm::SplitBlock(before, stop);
    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(before);
    if (ir::is_call(*stop, kVisitFunction))
      set_visit(builder, function, *stop);
    else
      set_status(builder, function, status_of_stop(builder, *stop));
    llvm::Value* const how =
        builder.CreateCall(intrinsic(llvm::Intrinsic::coro_suspend), {none, builder.getFalse()});
    llvm::SwitchInst* const way = builder.CreateSwitch(how, leave, 2);
    way->addCase(builder.getInt8(0), after);
    way->addCase(builder.getInt8(1), leave); // destroyed: nothing to do
    stop->eraseFromParent();
  }
}

} // namespace

void make_coroutine(llvm::Module& module, ir::KernelShape& shape) {
  ir::simplify(*module.getFunction(ir::kItemFunction)); // fewer kept values make a smaller frame
  llvm::Function& begin = *with_frame(module);
  if (!stops_anywhere(begin)) { // its barriers were in unreachable code
    run_to_the_end(begin);
    shape.frame_size = 64;
    return;
  }
  suspend_at_stops(begin);
  ir::split_coroutines(module);
  llvm::Function* const resume = module.getFunction("gputest_begin.resume");
  llvm::StructType* const frame =
      llvm::StructType::getTypeByName(module.getContext(), "gputest_begin.Frame");
  if (!resume || !frame)
    throw ir::SimulatorFailure("LLVM did not split the kernel at its barriers");
  resume->setName("gputest_resume");
  resume->setLinkage(llvm::GlobalValue::ExternalLinkage);
  resume->setCallingConv(llvm::CallingConv::C);
  shape.frame_size = llvm::alignTo(module.getDataLayout().getTypeAllocSize(frame), 64);
}

} // namespace gputest::simulator
