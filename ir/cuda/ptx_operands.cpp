#include "ir/cuda/ptx_operands.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gputest::simulator {

PtxOperands::PtxOperands(llvm::CallInst& call, llvm::IRBuilder<>& builder,
                         const SpecialRegister& special)
    : call_(call), builder_(builder), special_(special) {
  unsigned argument = 0;
  const auto& assembly = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  for (const llvm::InlineAsm::ConstraintInfo& one : assembly.ParseConstraints()) {
    if (one.Type == llvm::InlineAsm::isOutput) {
      slots_.push_back(nullptr);
      ++outputs_;
    } else if (one.Type == llvm::InlineAsm::isInput) {
      llvm::Value* const value = call.getArgOperand(argument++);
      if (!one.Codes.empty() && llvm::isDigit(one.Codes.front().front())) // starts an output
        slots_[static_cast<unsigned>(std::stoi(one.Codes.front()))] = value;
      else
        slots_.push_back(value);
    }
  }
}

bool PtxOperands::is_predicate(llvm::StringRef operand) const {
  const auto found = locals_.find(operand.str());
  return found != locals_.end() && found->second && found->second->getType()->isIntegerTy(1);
}

llvm::Value* PtxOperands::output(unsigned index, llvm::Type* type) {
  return slots_[index] ? converted(slots_[index], type) : nullptr;
}

void PtxOperands::enter() {
  if (!predicate_)
    return;
  inside_ = llvm::SplitBlockAndInsertIfThen(predicate_, &call_, false);
  builder_.SetInsertPoint(inside_);
}

void PtxOperands::leave() {
  inside_ = nullptr;
  builder_.SetInsertPoint(&call_);
}

// What is written there where the predicate holds, and stays what it was elsewhere.
llvm::Value* PtxOperands::chosen(llvm::Value* value, llvm::Value* old) {
  llvm::Type* const type = value->getType();
  if (!inside_)
    return builder_.CreateSelect(predicate_, value,
                                 old ? converted(old, type) : llvm::UndefValue::get(type));
  llvm::BasicBlock *const block = inside_->getParent(), *const before =
                                                            block->getSinglePredecessor();
  builder_.SetInsertPoint(before->getTerminator());
  old = old ? converted(old, type) : llvm::UndefValue::get(type);
  builder_.SetInsertPoint(call_.getParent(), call_.getParent()->begin());
  llvm::PHINode* const result = builder_.CreatePHI(type, 2);
  result->addIncoming(value, block);
  result->addIncoming(old, before);
  builder_.SetInsertPoint(inside_);
  return result;
}

llvm::Type* PtxOperands::type_of(llvm::StringRef suffix) {
  is_signed_ = suffix.starts_with("s");
  return llvm::StringSwitch<llvm::Type*>(suffix)
      .Cases("u8", "s8", "b8", builder_.getInt8Ty())
      .Cases("u16", "s16", "b16", builder_.getInt16Ty())
      .Cases("u32", "s32", "b32", builder_.getInt32Ty())
      .Cases("u64", "s64", "b64", builder_.getInt64Ty())
      .Case("f16", builder_.getHalfTy())
      .Case("f32", builder_.getFloatTy())
      .Case("f64", builder_.getDoubleTy())
      .Case("pred", builder_.getInt1Ty())
      .Default(nullptr);
}

// The same bits, or as many of them as there is room for.
llvm::Value* PtxOperands::converted(llvm::Value* value, llvm::Type* type) {
  if (value->getType() == type)
    return value;
  if (value->getType()->isPointerTy())
    value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
  const auto bits = [](llvm::Type* of) { return of->getPrimitiveSizeInBits().getFixedValue(); };
  if (!value->getType()->isIntegerTy())
    value = builder_.CreateBitCast(
        value, builder_.getIntNTy(static_cast<unsigned>(bits(value->getType()))));
  if (type->isPointerTy())
    return builder_.CreateIntToPtr(value, type);
  value = builder_.CreateZExtOrTrunc(value, builder_.getIntNTy(static_cast<unsigned>(bits(type))));
  return type->isIntegerTy() ? value : builder_.CreateBitCast(value, type);
}

llvm::Value* PtxOperands::read(llvm::StringRef operand, llvm::Type* type) {
  const bool inverted = operand.consume_front("!");
  llvm::Value* value = nullptr;
  unsigned index = 0;
  if (operand.consume_front("$")) {
    if (operand.getAsInteger(10, index) || index >= slots_.size() || !slots_[index])
      return nullptr;
    value = slots_[index];
  } else if (const auto found = locals_.find(operand.str()); found != locals_.end()) {
    value = found->second;
  } else if (operand.consume_front("%")) {
    value = special_(builder_, operand);
  } else if (operand.starts_with("0f") || operand.starts_with("0F") || operand.starts_with("0d") ||
             operand.starts_with("0D")) {
    std::uint64_t bits = 0;
    if (operand.drop_front(2).getAsInteger(16, bits))
      return nullptr;
    value = operand[1] == 'f' || operand[1] == 'F'
                ? builder_.CreateBitCast(builder_.getInt32(static_cast<unsigned>(bits)),
                                         builder_.getFloatTy())
                : builder_.CreateBitCast(builder_.getInt64(bits), builder_.getDoubleTy());
  } else {
    std::int64_t number = 0;
    operand.consume_back("U");
    if (operand.getAsInteger(0, number))
      return nullptr;
    value = builder_.getInt64(static_cast<std::uint64_t>(number));
  }
  if (!value)
    return nullptr;
  value = converted(value, type);
  return inverted ? builder_.CreateNot(value) : value;
}

bool PtxOperands::write(llvm::StringRef operand, llvm::Value* value) {
  llvm::Value** place = nullptr;
  unsigned index = 0;
  if (operand.consume_front("$")) {
    if (operand.getAsInteger(10, index) || index >= outputs_)
      return false;
    place = &slots_[index];
  } else if (const auto found = locals_.find(operand.str()); found != locals_.end()) {
    place = &found->second;
  }
  if (!place || !value)
    return operand == "_" && value;
  *place = predicate_ ? chosen(value, *place) : value;
  return true;
}

bool PtxOperands::declare(llvm::StringRef rest) {
  for (const llvm::StringRef name : operands_of(rest.trim().split(' ').second)) {
    const auto [base, count] = name.split('<');
    unsigned many = 0;
    locals_[base.trim().str()] = nullptr;
    if (!count.empty() && !count.rtrim('>').getAsInteger(10, many))
      for (unsigned i = 0; i < many; ++i)
        locals_[(base + llvm::Twine(i)).str()] = nullptr;
  }
  return true;
}

} // namespace gputest::simulator
