// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/operands.h"

#include "ir/cuda/special_registers.h"
#include "ir/host.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Module.h>

namespace gputest::ir {

PtxOperands::PtxOperands(llvm::IRBuilder<>& builder, llvm::Function& function)
    : builder_(builder), function_(function) {}

llvm::AllocaInst* PtxOperands::make(llvm::Type* type, llvm::StringRef name, std::uint64_t align) {
  llvm::BasicBlock& first = function_.getEntryBlock();
  llvm::IRBuilder<> builder(&first, first.begin());
  llvm::AllocaInst* const place = builder.CreateAlloca(type, nullptr, name);
  if (align > 0)
    place->setAlignment(llvm::Align(align));
  return place;
}

llvm::Type* PtxOperands::type_of(llvm::StringRef suffix) {
  is_signed_ = suffix.starts_with("s");
  return llvm::StringSwitch<llvm::Type*>(suffix)
      .Cases("u8", "s8", "b8", builder_.getInt8Ty())
      .Cases("u16", "s16", "b16", builder_.getInt16Ty())
      .Cases("u32", "s32", "b32", builder_.getInt32Ty())
      .Cases("u64", "s64", "b64", builder_.getInt64Ty())
      .Case("b128", builder_.getInt128Ty())
      .Case("f16", builder_.getHalfTy())
      .Case("bf16", builder_.getBFloatTy())
      .Case("f16x2", llvm::FixedVectorType::get(builder_.getHalfTy(), 2))
      .Case("bf16x2", llvm::FixedVectorType::get(builder_.getBFloatTy(), 2))
      .Case("f32", builder_.getFloatTy())
      .Case("f64", builder_.getDoubleTy())
      .Case("pred", builder_.getInt1Ty())
      .Default(nullptr);
}

void PtxOperands::leave_scope() {
  scopes_.pop_back();
}

void PtxOperands::declare(const PtxDeclaration& registers) {
  llvm::Type* const type = type_of(registers.type);
  for (const PtxDeclaration::Name& one : registers.names) {
    if (!type || registers.vector != 1 || !one.extents.empty() || one.unsized)
      throw PtxFault(one.name.data(), "registers of vectors are not supported");
    if (one.range > 0)
      scopes_.back().ranges.push_back({one.name, one.range, type});
    else
      scopes_.back().registers[one.name] = make(type, one.name);
  }
}

llvm::AllocaInst* PtxOperands::find(llvm::StringRef name) {
  const llvm::StringRef base = name.rtrim("0123456789");
  std::uint64_t number = 0;
  const bool is_numbered = !name.drop_front(base.size()).getAsInteger(10, number);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->registers.find(name); found != scope->registers.end())
      return found->second;
    for (const Range& range : scope->ranges)
      if (is_numbered && range.name == base && number < range.count)
        return scope->registers[name] = make(range.type, name);
  }
  return nullptr;
}

bool PtxOperands::is_predicate(llvm::StringRef operand) {
  const llvm::AllocaInst* const place = find(operand);
  return place && place->getAllocatedType()->isIntegerTy(1);
}

llvm::Value* PtxOperands::object(llvm::StringRef name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->objects.find(name); found != scope->objects.end())
      return found->second;
  return name.empty() ? nullptr : function_.getParent()->getNamedValue(name);
}

llvm::Value* PtxOperands::converted(llvm::Value* value, llvm::Type* type, bool is_signed) {
  if (value->getType() == type)
    return value;
  if (value->getType()->isPointerTy())
    value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
  const auto bits = [](llvm::Type* of) {
    return static_cast<unsigned>(of->getPrimitiveSizeInBits().getFixedValue());
  };
  if (!value->getType()->isIntegerTy())
    value = builder_.CreateBitCast(value, builder_.getIntNTy(bits(value->getType())));
  if (type->isPointerTy())
    return builder_.CreateIntToPtr(builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty()), type);
  llvm::Type* const word = builder_.getIntNTy(bits(type));
  value =
      is_signed ? builder_.CreateSExtOrTrunc(value, word) : builder_.CreateZExtOrTrunc(value, word);
  return type->isIntegerTy() ? value : builder_.CreateBitCast(value, type);
}

llvm::Value* PtxOperands::read_plain(llvm::StringRef operand) {
  if (llvm::AllocaInst* const place = find(operand))
    return builder_.CreateLoad(place->getAllocatedType(), place);
  if (const auto found = constants_.find(operand); found != constants_.end())
    return found->second;
  if (operand == "WARP_SZ")
    return special_register(builder_, "warpsize");
  if (operand.consume_front("%"))
    return special_register(builder_, operand);
  if (operand.size() > 2 && operand[0] == '0' && llvm::StringRef("fFdD").contains(operand[1])) {
    std::uint64_t bits = 0;
    if (operand.drop_front(2).getAsInteger(16, bits))
      return nullptr;
    return llvm::toLower(operand[1]) == 'f'
               ? builder_.CreateBitCast(builder_.getInt32(static_cast<unsigned>(bits)),
                                        builder_.getFloatTy())
               : builder_.CreateBitCast(builder_.getInt64(bits), builder_.getDoubleTy());
  }
  if (const std::optional<std::int64_t> number = integer_of(operand))
    return builder_.getInt64(static_cast<std::uint64_t>(*number));
  double real = 0;
  if (operand.contains('.') && !operand.getAsDouble(real))
    return llvm::ConstantFP::get(builder_.getDoubleTy(), real);
  const bool generic = operand.consume_front("generic(") && operand.consume_back(")");
  const auto [name, offset] = operand.split('+');
  llvm::Value* const variable = object(name.trim());
  const std::optional<std::int64_t> bytes = offset.empty() ? 0 : integer_of(offset.trim());
  if (!variable || !bytes || !variable->getType()->isPointerTy())
    return nullptr;
  const bool is_shared = variable->getType()->getPointerAddressSpace() == kLocalSpace && !generic;
  llvm::Type* const word = is_shared ? builder_.getInt32Ty() : builder_.getInt64Ty();
  return builder_.CreateAdd(builder_.CreatePtrToInt(variable, word),
                            llvm::ConstantInt::get(word, static_cast<std::uint64_t>(*bytes), true));
}

llvm::Value* PtxOperands::read(llvm::StringRef operand, llvm::Type* type) {
  const bool inverted = operand.consume_front("!");
  llvm::Value* value = read_plain(operand.ltrim());
  if (!value)
    return nullptr;
  if (type->isFloatTy() && value->getType()->isDoubleTy() && llvm::isa<llvm::Constant>(value))
    value = builder_.CreateFPTrunc(value, type); // the instruction takes a narrower number
  value = converted(value, type);
  return inverted ? builder_.CreateNot(value) : value;
}

bool PtxOperands::write(llvm::StringRef operand, llvm::Value* value, bool is_signed) {
  if (!value || operand == "_")
    return value != nullptr;
  llvm::AllocaInst* const place = find(operand);
  if (!place)
    return false;
  builder_.CreateStore(converted(value, place->getAllocatedType(), is_signed), place);
  return true;
}

} // namespace gputest::ir
