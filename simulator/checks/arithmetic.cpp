#include "ir/places.h"
#include "simulator/checks/instrument.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

enum ArithmeticFault : unsigned { DivisionByZero, Shift, Overflow };

class ArithmeticChecks {
public:
  ArithmeticChecks(llvm::Function& item, const Checks& checks, KernelShape& shape)
      : item_(item), checks_(checks), shape_(shape) {}

  void run() {
    std::vector<llvm::BinaryOperator*> operations;
    for (llvm::BasicBlock& block : item_)
      for (llvm::Instruction& instruction : block)
        if (auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
          operations.push_back(operation);
    for (llvm::BinaryOperator* operation : operations)
      check(*operation);
  }

private:
  void check(llvm::BinaryOperator& operation) {
    switch (operation.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
      if (checks_.arithmetic)
        check_divisor(operation);
      return;
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      if (checks_.arithmetic)
        check_shift(operation);
      return;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
      if (checks_.overflow && operation.hasNoSignedWrap())
        check_overflow(operation);
      return;
    default:
      return;
    }
  }

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
    if (llvm::isa<llvm::Constant>(divisor) && !llvm::cast<llvm::Constant>(divisor)->isZeroValue())
      return;
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

  // Clang keeps what a shift is by within the width, as OpenCL C says; more than that is defined,
  // and hardly ever meant.
  void check_shift(llvm::BinaryOperator& operation) {
    llvm::Value* amount = nullptr;
    const unsigned width = operation.getType()->getScalarSizeInBits();
    if (!llvm::PatternMatch::match(
            operation.getOperand(1),
            llvm::PatternMatch::m_And(llvm::PatternMatch::m_Value(amount),
                                      llvm::PatternMatch::m_SpecificInt(width - 1))))
      return;
    Builder builder(&operation);
    report(builder, operation,
           builder.CreateICmpUGE(amount, llvm::ConstantInt::get(amount->getType(), width)), Shift);
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
  const Checks& checks_;
  KernelShape& shape_;
};

} // namespace

void check_arithmetic(llvm::Function& item, const Checks& checks, KernelShape& shape) {
  if (checks.arithmetic || checks.overflow)
    ArithmeticChecks(item, checks, shape).run();
}

} // namespace gputest::simulator
