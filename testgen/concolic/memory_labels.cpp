// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/memory_labels.h"

#include "frontend/llvm_version.h"
#include "testgen/concolic/composed.h"
#include "testgen/concolic/dependence.h"
#include "testgen/concolic/operations.h"
#include "testgen/concolic/shadow.h"

#include <llvm/Analysis/ValueTracking.h>

namespace gputest::testgen {

void MemoryLabels::visit(llvm::LoadInst& load) {
  if (!depends(&load))
    return accessed_at(load, load.getPointerOperand(), *load.getType(), false);
  if (const auto context = context_word(load, item_)) {
    Builder builder(&load);
    llvm::Constant* const labels =
        module_.getOrInsertGlobal("gputest_launch_labels", llvm::ArrayType::get(label_type_, 0));
    set(load, builder.CreateLoad(
                  label_type_, builder.CreateConstInBoundsGEP1_64(label_type_, labels, *context)));
    return;
  }
  set(load, loaded(load, load.getPointerOperand(), *load.getType()));
}

bool MemoryLabels::is_read(llvm::Instruction& where, llvm::Type& type) {
  const std::uint64_t bytes = bytes_of(type);
  if (width_of(type) && !type.isVectorTy() && width_of(type) == 8 * bytes &&
      (bytes & (bytes - 1)) == 0)
    return true;
  lose(where, "a value of a type that is not followed is read");
  return false;
}

llvm::Value* MemoryLabels::loaded(llvm::Instruction& where, llvm::Value* pointer,
                                  llvm::Type& type) {
  if (!is_read(where, type))
    return none_;
  const std::uint64_t bytes = bytes_of(type);
  Builder builder(&where);
  llvm::Value* any = none_;
  const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  if (!variable || !variable->isConstant()) {
    llvm::Value* const labels = builder.CreateAlignedLoad(
        llvm::FixedVectorType::get(label_type_, static_cast<unsigned>(bytes)),
        shadow(builder, pointer), llvm::Align(4));
    any = bytes == 1 ? builder.CreateExtractElement(labels, std::uint64_t{0})
                     : builder.CreateOrReduce(labels);
  }
  llvm::Value* const place = place_label_of(pointer);
  if (place == none_)
    return guarded(where, {any}, "gputest_label_load", true, [&](Builder& inner) {
      return Values{inner.CreatePointerBitCastOrAddrSpaceCast(pointer, pointer_), number(bytes)};
    });
  const unsigned at = site(where, TracedSite::Kind::Address);
  return guarded(where, {any, place}, "gputest_label_read", true, [&](Builder& inner) {
    llvm::Value* begin = llvm::ConstantPointerNull::get(pointer_);
    std::uint64_t size = 0;
    if (variable) {
      begin = const_cast<llvm::Value*>(object);
      size = layout_.getTypeAllocSize(variable->getValueType());
    } else if (const auto* const own = llvm::dyn_cast<llvm::AllocaInst>(object)) {
      begin = const_cast<llvm::Value*>(object);
      size = own->getAllocationSize(layout_).value_or(llvm::TypeSize::getFixed(0));
    }
    return Values{inner.CreatePointerBitCastOrAddrSpaceCast(pointer, pointer_),
                  number(bytes),
                  place,
                  number(at),
                  who_,
                  inner.CreatePointerBitCastOrAddrSpaceCast(begin, pointer_),
                  word(size)};
  });
}

void MemoryLabels::accessed_at(llvm::Instruction& where, llvm::Value* pointer, llvm::Type& type,
                               bool write) {
  llvm::Value* const place = place_label_of(pointer);
  if (place == none_ || (!write && !is_read(where, type)))
    return;
  const unsigned at = site(where, TracedSite::Kind::Address, write);
  guarded(where, {place}, "gputest_label_access", false, [&](Builder& inner) {
    return Values{inner.CreatePointerBitCastOrAddrSpaceCast(pointer, pointer_),
                  number(bytes_of(type)), place, number(at), who_};
  });
}

void MemoryLabels::put(Builder& builder, llvm::Value* pointer, llvm::Value* label,
                       std::uint64_t bytes) {
  if (bytes > 8 || (bytes & (bytes - 1)) != 0) {
    fill(builder, pointer, none_, word(bytes));
    return;
  }
  const auto count = static_cast<unsigned>(bytes);
  auto* const type = llvm::FixedVectorType::get(label_type_, count);
  llvm::Value* labels = llvm::Constant::getNullValue(type);
  if (label != none_) {
    std::vector<llvm::Constant*> places;
    for (unsigned i = 0; i < count; ++i)
      places.push_back(llvm::ConstantInt::get(label_type_, std::uint64_t{i} << kByteShift));
    labels = builder.CreateSelect(builder.CreateICmpNE(label, none_),
                                  builder.CreateOr(builder.CreateVectorSplat(count, label),
                                                   llvm::ConstantVector::get(places)),
                                  labels);
  }
  builder.CreateAlignedStore(labels, shadow(builder, pointer), llvm::Align(4));
}

void MemoryLabels::fill(Builder& builder, llvm::Value* to, llvm::Value* label, llvm::Value* bytes) {
  const Values arguments{builder.CreatePointerBitCastOrAddrSpaceCast(to, pointer_), label,
                         builder.CreateZExtOrTrunc(bytes, word_)};
  ir::call_by_name(builder, "gputest_label_fill", builder.getVoidTy(), arguments);
}

bool MemoryLabels::has_shadow(const llvm::Value* pointer) const {
  return !llvm::isa<llvm::Argument>(llvm::getUnderlyingObject(pointer, 0));
}

// A thread's slots, by which it asks its warp, are where the launch's sizes say; but nobody's goal.
llvm::Value* MemoryLabels::place_label_of(const llvm::Value* pointer) const {
  return is_in_slot(pointer, item_) ? none_ : label_of(pointer);
}

void MemoryLabels::visit(llvm::StoreInst& store) {
  llvm::Value* const pointer = store.getPointerOperand();
  if (!has_shadow(pointer))
    return;
  llvm::Type& type = *store.getValueOperand()->getType();
  accessed_at(store, pointer, type, true);
  if (!keeps_labels(pointer))
    return;
  llvm::Value* label = none_;
  if (!type.isVectorTy() && width_of(type) == 8 * bytes_of(type))
    label = label_of(store.getValueOperand());
  else
    lose(store, "a value of a type that is not followed is written");
  Builder builder(&store);
  put(builder, pointer, label, bytes_of(type));
}

void MemoryLabels::visit(llvm::GetElementPtrInst& gep) {
  frontend::llvm_version::Strides indices;
  llvm::APInt offset(64, 0);
  if (gep.getType()->isVectorTy() || !gep.collectOffset(layout_, 64, indices, offset))
    return lose(gep, "a pointer of a type that is not followed is computed");
  llvm::Instruction& where = *gep.getNextNode();
  // The sum so far: its label and its value.
  Builder builder(&where);
  llvm::Value* label = label_of(gep.getPointerOperand());
  llvm::Value* value = bits(builder, gep.getPointerOperand());
  const auto add = [&](llvm::Value* other_label, llvm::Value* other) {
    if (label != none_ || other_label != none_)
      label = binary(where, Op::Add, 64, label, other_label, value, other);
    Builder after(&where);
    value = after.CreateAdd(value, other);
  };
  for (const auto& [index, scale] : indices) {
    Builder here(&where);
    const unsigned width = width_of(*index->getType());
    llvm::Value* wide = here.CreateSExtOrTrunc(index, word_);
    llvm::Value* index_label = label_of(index);
    if (index_label != none_ && width != 64)
      index_label = unary(where, width < 64 ? Op::SExt : Op::Trunc, 64, index_label);
    Builder again(&where);
    llvm::Value* const by = llvm::ConstantInt::get(context_, scale);
    if (index_label != none_)
      index_label = binary(where, Op::Mul, 64, index_label, none_, wide, by);
    Builder last(&where);
    add(index_label, last.CreateMul(wide, by));
  }
  if (!offset.isZero())
    add(none_, llvm::ConstantInt::get(context_, offset));
  set(gep, label);
}

void MemoryLabels::forget_outputs(llvm::CallInst& call) {
  for (llvm::Value* argument : call.args()) {
    if (!argument->getType()->isPointerTy())
      continue;
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(
        const_cast<llvm::Value*>(llvm::getUnderlyingObject(argument, 0)));
    if (!variable)
      continue;
    if (!keeps_labels(variable))
      continue;
    Builder builder(call.getNextNode());
    if (const auto bytes = variable->getAllocationSize(layout_))
      fill(builder, variable, none_, word(bytes->getFixedValue()));
    lose(call, "what a function of the simulator writes is not followed");
  }
}

void MemoryLabels::visit(llvm::MemIntrinsic& memory) {
  Builder builder(&memory);
  llvm::Value* const to = memory.getRawDest();
  if (!keeps_labels(to))
    return;
  if (const auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&memory)) {
    fill(builder, to, label_of(set->getValue()), memory.getLength());
    return;
  }
  auto& transfer = llvm::cast<llvm::MemTransferInst>(memory);
  const Values arguments{
      builder.CreatePointerBitCastOrAddrSpaceCast(to, pointer_),
      builder.CreatePointerBitCastOrAddrSpaceCast(transfer.getRawSource(), pointer_),
      builder.CreateZExtOrTrunc(memory.getLength(), word_)};
  ir::call_by_name(builder, "gputest_label_move", builder.getVoidTy(), arguments);
}

void MemoryLabels::visit(llvm::AtomicRMWInst& operation) {
  llvm::Value* const pointer = operation.getPointerOperand();
  llvm::Type& type = *operation.getType();
  if (!keeps_labels(pointer)) {
    accessed_at(operation, pointer, type, false);
    accessed_at(operation, pointer, type, true);
    return;
  }
  llvm::Value* const old = loaded(operation, pointer, type);
  accessed_at(operation, pointer, type, true);
  set(operation, old);
  llvm::Value* const operand = operation.getValOperand();
  llvm::Value* const label = label_of(operand);
  llvm::Instruction& where = *operation.getNextNode();
  const unsigned width = width_of(type);
  llvm::Value* result = none_;
  const auto binary_of = [&](Op op) {
    Builder builder(&where);
    return binary(where, op, width, old, label, bits(builder, &operation), bits(builder, operand));
  };
  using R = llvm::AtomicRMWInst;
  switch (operation.getOperation()) {
  case R::Xchg:
    result = label;
    break;
  case R::Add:
    result = binary_of(Op::Add);
    break;
  case R::Sub:
    result = binary_of(Op::Sub);
    break;
  case R::And:
    result = binary_of(Op::And);
    break;
  case R::Or:
    result = binary_of(Op::Or);
    break;
  case R::Xor:
    result = binary_of(Op::Xor);
    break;
  case R::FAdd:
    result = binary_of(Op::FAdd);
    break;
  case R::FSub:
    result = binary_of(Op::FSub);
    break;
  case R::Max:
  case R::Min:
  case R::UMax:
  case R::UMin: {
    const Composed kind = operation.getOperation() == R::Max    ? Composed::SMax
                          : operation.getOperation() == R::Min  ? Composed::SMin
                          : operation.getOperation() == R::UMax ? Composed::UMax
                                                                : Composed::UMin;
    result = guarded(where, {old, label}, "gputest_label_composed", true, [&](Builder& builder) {
      return Values{
          number(static_cast<unsigned>(kind)), number(width),          old,    label, none_,
          bits(builder, &operation),           bits(builder, operand), word(0)};
    });
    break;
  }
  default:
    lose(operation, "an atomic operation that is not followed");
    break;
  }
  Builder builder(&where);
  put(builder, pointer, result, bytes_of(type));
}

void MemoryLabels::visit(llvm::AtomicCmpXchgInst& exchange) {
  llvm::Value* const pointer = exchange.getPointerOperand();
  llvm::Type& type = *exchange.getCompareOperand()->getType();
  const unsigned width = width_of(type);
  llvm::Value* const old = loaded(exchange, pointer, type);
  accessed_at(exchange, pointer, type, true);
  llvm::Instruction& where = *exchange.getNextNode();
  Builder builder(&where);
  llvm::Value* const was = builder.CreateExtractValue(&exchange, 0);
  llvm::Value* const done = builder.CreateExtractValue(&exchange, 1);
  llvm::Value* const equal =
      binary(where, Op::Equal, {width, width, 1}, old, label_of(exchange.getCompareOperand()),
             bits(builder, was), bits(builder, exchange.getCompareOperand()));
  labels_[&exchange] = {old, equal};
  const unsigned at = site(exchange, TracedSite::Kind::Exchange);
  guarded(where, {equal}, "gputest_label_event", false,
          [&](Builder& inner) { return Values{number(at), who_, equal, bits(inner, done)}; });
  Builder after(&where);
  llvm::Value* const result = after.CreateSelect(done, label_of(exchange.getNewValOperand()), old);
  put(after, pointer, result, bytes_of(type));
}

} // namespace gputest::testgen
