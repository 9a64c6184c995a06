// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/static_kernel.h"

#include "ir/analysis_managers.h"
#include "ir/builtins.h"
#include "ir/kernels/kernel_module.h"
#include "ir/kernels/lower.h"
#include "ir/optimise.h"
#include "testgen/concolic/prepare.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <utility>
#include <vector>

namespace gputest::testgen {
namespace {

// Unrolls loops with a small constant number of iterations, because nothing would be known of their
// variables. coverage.cl clears its words in such a loop.
void unroll(llvm::Function& item) {
  ir::AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass()));
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::ADCEPass());
  passes.run(item, analyses.functions);
}

// Adds the calls that static_kernel.h lists.
class Marker {
public:
  explicit Marker(llvm::Function& item) : item_(item), module_(*item.getParent()) {}

  void mark() {
    std::vector<llvm::Instruction*> all;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      all.push_back(&instruction);
    for (llvm::Instruction* instruction : all) {
      llvm::IRBuilder<> builder(instruction);
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(instruction))
        mark_read(builder, *load);
      else if (auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction))
        mark_operation(builder, *operation);
      else if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(instruction);
               copy && !is_own(copy->getSource()))
        call(builder, kCopies, {});
    }
  }

private:
  // Whether it is a variable of the work-item, its arguments or the launch's context.
  bool is_own(const llvm::Value* pointer) const {
    const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
    return llvm::isa<llvm::AllocaInst, llvm::Argument>(object);
  }

  void call(llvm::IRBuilder<>& builder, const char* name, std::vector<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (const llvm::Value* argument : arguments)
      types.push_back(argument->getType());
    llvm::FunctionCallee callee = module_.getOrInsertFunction(
        name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
    auto* const function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setOnlyAccessesInaccessibleMemory(); // so it stays, and all else is free to move
    function->setDoesNotThrow();
    function->setWillReturn();
    builder.CreateCall(callee, arguments);
  }

  void mark_read(llvm::IRBuilder<>& builder, llvm::LoadInst& load) {
    llvm::Value* pointer = load.getPointerOperand();
    if (is_own(pointer))
      return;
    llvm::Type* const element = load.getType()->getScalarType();
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
    if (pointer->getType()->getPointerAddressSpace() != 0)
      pointer = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    call(builder, kReads,
         {pointer, builder.getInt64(module_.getDataLayout().getTypeStoreSize(element)),
          builder.getInt64(vector ? vector->getNumElements() : 1)});
  }

  void mark_operation(llvm::IRBuilder<>& builder, llvm::BinaryOperator& operation) {
    const unsigned bits = operation.getType()->getScalarSizeInBits();
    if ((!operation.isIntDivRem() && !operation.isShift()) || bits > 64)
      return;
    llvm::Value* operand = operation.getOperand(1);
    using namespace llvm::PatternMatch;
    llvm::Value* whole = nullptr; // Clang has masked it
    if (operation.isShift() && match(operand, m_And(m_Value(whole), m_SpecificInt(bits - 1))))
      operand = whole;
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
    for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
      llvm::Value* const one = builder.CreateZExt(
          vector ? builder.CreateExtractElement(operand, i) : operand, builder.getInt64Ty());
      if (operation.isShift())
        call(builder, kShifts, {one, builder.getInt64(bits)});
      else
        call(builder, kDivides, {one});
    }
  }

  llvm::Function& item_;
  llvm::Module& module_;
};

} // namespace

StaticKernel::StaticKernel(const ir::Source& source, const std::string& kernel, Marks marks) {
  module = std::move(ir::compile_for(kernel, source, context).module);
  ir::link_builtins(*module, source.cl_std, false);
  ir::define_overflow(*module);
  shape = ir::lower(*module, kernel, ir::Keep::Nothing);
  item = module->getFunction(ir::kItemFunction);
  if (marks == Marks::Findings)
    Marker(*item).mark();
  prepare(*item, shape);
  unroll(*item);
  llvm::removeUnreachableBlocks(*item);
}

} // namespace gputest::testgen
