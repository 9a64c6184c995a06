// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/analysis_managers.h"
#include "ir/error.h"
#include "ir/host.h"
#include "ir/places.h"
#include "testgen/concolic/instrument.h"
#include "testgen/concolic/operations.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <map>

namespace gputest::testgen {
namespace {

constexpr std::size_t kMostOperations = 24; // of a function that is inlined as it is

struct Callee {
  bool pure = true; // numbers in, a number out, and nothing else
  bool large = false;
  std::size_t size = 0;
};

// Built-in functions that compute a number of numbers.
class Candidates {
public:
  const Callee& look_at(const llvm::Function& function) {
    if (const auto known = callees_.find(&function); known != callees_.end())
      return known->second;
    callees_[&function].pure = false; // while it is looked at: recursion
    Callee callee;
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      add(callee, instruction);
    callee.large = callee.large || callee.size > kMostOperations;
    return callees_[&function] = callee;
  }

private:
  void add(Callee& callee, const llvm::Instruction& instruction) {
    if (instruction.isDebugOrPseudoInst())
      return;
    ++callee.size;
    if (const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
      callee.large = callee.large || branch->isConditional();
    if (llvm::isa<llvm::SwitchInst>(instruction))
      callee.large = true;
    if (llvm::isa<llvm::FenceInst>(instruction) || llvm::isa<llvm::AtomicRMWInst>(instruction) ||
        llvm::isa<llvm::AtomicCmpXchgInst>(instruction))
      callee.pure = false;
    for (const llvm::Use& use : instruction.operands())
      if (const auto* const variable =
              llvm::dyn_cast<llvm::GlobalVariable>(use->stripPointerCasts())) {
        callee.pure = callee.pure && variable->isConstant();
        callee.large = true; // a table
      }
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::DbgInfoIntrinsic>(call))
      return;
    const llvm::Function* const called = call->getCalledFunction();
    if (!called) {
      callee.pure = false;
    } else if (called->isDeclaration()) {
      callee.pure = callee.pure && called->isIntrinsic();
    } else {
      const Callee inner = look_at(*called);
      callee.pure = callee.pure && inner.pure;
      callee.large = callee.large || inner.large;
      callee.size += inner.size;
    }
  }

  std::map<const llvm::Function*, Callee> callees_;
};

// As lower() does in what it is given.
void split_fused(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::fmuladd) {
        llvm::IRBuilder<> builder(call);
        call->replaceAllUsesWith(
            builder.CreateFAdd(builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1)),
                               call->getArgOperand(2)));
        call->eraseFromParent();
      }
}

// Removes everything that `kept` do not need.
void strip(llvm::Module& module, const std::vector<llvm::Function*>& kept) {
  for (const char* name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* variable = module.getGlobalVariable(name, true))
      variable->eraseFromParent();
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.isDeclaration())
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (llvm::Function* function : kept)
    function->setLinkage(llvm::GlobalValue::ExternalLinkage);
  ir::AnalysisManagers analyses;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

void mark_library(llvm::Module& module) {
  llvm::MDNode* const mark = llvm::MDNode::get(module.getContext(), {});
  for (llvm::Function& function : module)
    if (!function.getSubprogram())
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (llvm::isa<llvm::BranchInst>(instruction) || llvm::isa<llvm::SwitchInst>(instruction) ||
            llvm::isa<llvm::SelectInst>(instruction) || llvm::isa<llvm::CmpInst>(instruction))
          instruction.setMetadata("gputest.concolic.library", mark);
}

std::string opaque_name(std::size_t number) {
  return fmt::format("gputest_opaque.{}", number);
}

} // namespace

LibraryCalls::LibraryCalls(llvm::Module& module) {
  mark_library(module);
  Candidates candidates;
  std::vector<llvm::Function*> chosen;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getSubprogram() || !is_function_of_numbers(function) ||
        function.use_empty())
      continue;
    const Callee& callee = candidates.look_at(function);
    if (callee.pure && callee.large)
      chosen.push_back(&function);
  }
  llvm::ValueToValueMapTy map;
  bodies_ = llvm::CloneModule(module, map);
  std::vector<llvm::Function*> kept;
  for (llvm::Function* function : chosen) {
    auto* const body = llvm::cast<llvm::Function>(static_cast<llvm::Value*>(map[function]));
    body->setName(opaque_name(names_.size()));
    body->removeFnAttr(llvm::Attribute::AlwaysInline);
    kept.push_back(body);
    llvm::Function* const declared =
        llvm::Function::Create(function->getFunctionType(), llvm::Function::ExternalLinkage,
                               opaque_name(names_.size()), module);
    function->replaceAllUsesWith(declared);
    intrinsics_.push_back(nullptr);
    names_.push_back(ir::source_name(*function));
  }
  // Debug information is of the author's functions, which are gone here.
  strip(*bodies_, kept);
  ir::retarget(*bodies_);
  split_fused(*bodies_);
}

unsigned LibraryCalls::add(llvm::Function& intrinsic) {
  for (unsigned i = 0; i < intrinsics_.size(); ++i)
    if (intrinsics_[i] == &intrinsic)
      return i;
  intrinsics_.push_back(&intrinsic);
  names_.push_back(intrinsic.getName().str());
  return static_cast<unsigned>(intrinsics_.size() - 1);
}

void LibraryCalls::link_into(llvm::Module& module) {
  if (llvm::Linker::linkModules(module, std::move(bodies_)))
    throw ir::SimulatorFailure("built-in functions cannot be linked");
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type* const pointer = builder.getPtrTy();
  std::vector<llvm::Constant*> table;
  for (std::size_t number = 0; number < names_.size(); ++number) {
    llvm::Function* const callee =
        intrinsics_[number] ? intrinsics_[number] : module.getFunction(opaque_name(number));
    if (!callee || (callee->isDeclaration() && !callee->isIntrinsic())) { // nobody calls it
      table.push_back(llvm::ConstantPointerNull::get(builder.getPtrTy()));
      continue;
    }
    llvm::Function* const wrapper = llvm::Function::Create(
        llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false),
        llvm::Function::InternalLinkage, fmt::format("gputest_call.{}", number), module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", wrapper));
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& argument : callee->args()) {
      llvm::Value* const bits = builder.CreateLoad(
          builder.getInt64Ty(), builder.CreateConstGEP1_64(builder.getInt64Ty(), wrapper->getArg(0),
                                                           argument.getArgNo()));
      arguments.push_back(builder.CreateBitCast(
          builder.CreateTrunc(bits, builder.getIntNTy(width_of(*argument.getType()))),
          argument.getType()));
    }
    llvm::CallInst* const call = builder.CreateCall(callee, arguments);
    call->setCallingConv(callee->getCallingConv());
    llvm::Value* const result =
        builder.CreateBitCast(call, builder.getIntNTy(width_of(*call->getType())));
    builder.CreateStore(builder.CreateZExt(result, builder.getInt64Ty()), wrapper->getArg(1));
    builder.CreateRetVoid();
    table.push_back(wrapper);
  }
  auto* const type = llvm::ArrayType::get(pointer, table.size());
  llvm::Constant* const content = llvm::ConstantArray::get(type, table);
  if (llvm::GlobalVariable* const known = module.getGlobalVariable("gputest_calls")) {
    auto* const defined =
        new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::InternalLinkage, content);
    known->replaceAllUsesWith(defined);
    known->eraseFromParent();
    defined->setName("gputest_calls");
  }
}

} // namespace gputest::testgen
