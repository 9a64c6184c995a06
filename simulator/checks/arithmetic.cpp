#include "ir/places.h"
#include "simulator/checks/instrument.h"
#include "simulator/checks/protect.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

enum ArithmeticFault : unsigned { DivisionByZero, Shift, Overflow, Component };

class ArithmeticChecks {
public:
  ArithmeticChecks(llvm::Function& item, KernelShape& shape) : item_(item), shape_(shape) {}

  void check(llvm::BinaryOperator& operation) {
    if (operation.isIntDivRem())
      check_divisor(operation);
    else if (operation.isShift())
      check_shift(operation);
    else
      check_overflow(operation);
  }

  // v[i]: what is not there is 0, and is not written.
  void check_component(llvm::CallInst& component) {
    Builder builder(&component);
    llvm::Value* const index = component.getArgOperand(0);
    llvm::Value* const bad = builder.CreateICmpUGE(builder.CreateZExt(index, builder.getInt64Ty()),
                                                   component.getArgOperand(1));
    for (llvm::User* user : llvm::make_early_inc_range(component.users())) {
      auto* const access = llvm::cast<llvm::Instruction>(user);
      builder.SetInsertPoint(access->getNextNode());
      auto* const instead = llvm::cast<llvm::SelectInst>(
          builder.CreateSelect(bad,
                               llvm::isa<llvm::InsertElementInst>(access)
                                   ? access->getOperand(0)
                                   : llvm::Constant::getNullValue(access->getType()),
                               access));
      access->replaceUsesWithIf(instead,
                                [&](const llvm::Use& use) { return use.getUser() != instead; });
    }
    report(builder, component, bad, Component);
    component.replaceAllUsesWith(index);
    component.eraseFromParent();
  }

private:
  // `bad`, of a vector one for each component, is reported where any is true.
  void report(Builder& builder, llvm::Instruction& at, llvm::Value* bad, ArithmeticFault fault) {
    if (bad->getType()->isVectorTy())
      bad = builder.CreateOrReduce(bad);
    llvm::Instruction* const rare = llvm::SplitBlockAndInsertIfThen(
        bad, &at, false, llvm::MDBuilder(builder.getContext()).createBranchWeights(1, 1 << 20));
    Builder cold(rare);
    const llvm::FunctionCallee tell = item_.getParent()->getOrInsertFunction(
        "gputest_arithmetic", cold.getVoidTy(), cold.getPtrTy(), cold.getInt32Ty(),
        cold.getInt32Ty());
    cold.CreateCall(tell,
                    {item_.getArg(0), cold.getInt32(site_of(at, shape_)), cold.getInt32(fault)});
    builder.SetInsertPoint(&at);
  }

  // The operation goes on with 1 instead.
  void check_divisor(llvm::BinaryOperator& operation) {
    llvm::Value* const divisor = operation.getOperand(1);
    Builder builder(&operation);
    llvm::Type* const type = divisor->getType();
    llvm::Value* const zero = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
    report(builder, operation, zero, DivisionByZero);
    llvm::Value* instead = builder.CreateSelect(zero, llvm::ConstantInt::get(type, 1), divisor);
    const bool is_signed = operation.getOpcode() == llvm::Instruction::SDiv ||
                           operation.getOpcode() == llvm::Instruction::SRem;
    if (is_signed) { // the smallest number by -1
      llvm::Value* const smallest =
          llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
      llvm::Value* const too_large =
          builder.CreateAnd(builder.CreateICmpEQ(operation.getOperand(0), smallest),
                            builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
      report(builder, operation, too_large, Overflow);
      instead = builder.CreateSelect(too_large, llvm::ConstantInt::get(type, 1), instead);
    }
    operation.setOperand(1, instead);
  }

  // OpenCL C takes the amount modulo the width, and Clang says so; it is hardly ever meant.
  void check_shift(llvm::BinaryOperator& operation) {
    llvm::Value* const amount =
        llvm::cast<llvm::Instruction>(operation.getOperand(1))->getOperand(0);
    Builder builder(&operation);
    report(builder, operation,
           builder.CreateICmpUGE(
               amount, llvm::ConstantInt::get(amount->getType(),
                                              operation.getType()->getScalarSizeInBits())),
           Shift);
  }

  void check_overflow(llvm::BinaryOperator& operation) {
    Builder builder(&operation);
    const llvm::Intrinsic::ID id =
        operation.getOpcode() == llvm::Instruction::Add   ? llvm::Intrinsic::sadd_with_overflow
        : operation.getOpcode() == llvm::Instruction::Sub ? llvm::Intrinsic::ssub_with_overflow
                                                          : llvm::Intrinsic::smul_with_overflow;
    llvm::Value* const both =
        builder.CreateBinaryIntrinsic(id, operation.getOperand(0), operation.getOperand(1));
    report(builder, operation, builder.CreateExtractValue(both, 1), Overflow);
    operation.setHasNoSignedWrap(false);
  }

  llvm::Function& item_;
  KernelShape& shape_;
};

} // namespace

void check_arithmetic(llvm::Function& item, const std::vector<llvm::BinaryOperator*>& operations,
                      KernelShape& shape) {
  ArithmeticChecks checks(item, shape);
  for (llvm::BinaryOperator* operation : operations)
    checks.check(*operation);
}

void check_components(llvm::Function& item, KernelShape& shape) {
  std::vector<llvm::CallInst*> components;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (protected_call(&instruction, kComponent))
      components.push_back(llvm::cast<llvm::CallInst>(&instruction));
  ArithmeticChecks checks(item, shape);
  for (llvm::CallInst* component : components)
    checks.check_component(*component);
}

} // namespace gputest::simulator
