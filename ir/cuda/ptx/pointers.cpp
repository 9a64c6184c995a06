// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/pointers.h"

#include "ir/cuda/shared_addresses.h"
#include "ir/host.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <optional>
#include <vector>

namespace gputest::ir {
namespace {

constexpr unsigned kMostValues = 512; // the most that are examined for one address

class BaseFinder {
public:
  // Returns the object into which `address` points; null: not known.
  llvm::Value* base_of(llvm::Value* address) {
    bases_.clear();
    llvm::Value* const base = find(address).value_or(nullptr);
    for (const auto& [value, other] : bases_) // checks the assumption that loops keep their first
                                              // object
      if (other && *other && *other != base)
        return nullptr;
    return base;
  }

private:
  // nullopt: it is being examined, in a loop.
  std::optional<llvm::Value*> find(llvm::Value* value) {
    if (const auto known = bases_.find(value); known != bases_.end())
      return known->second;
    if (bases_.size() >= kMostValues)
      return nullptr;
    bases_[value] = std::nullopt;
    const std::optional<llvm::Value*> base = look_at(value);
    bases_[value] = base;
    return base;
  }

  std::optional<llvm::Value*> look_at(llvm::Value* value) {
    auto* const made = llvm::dyn_cast<llvm::Operator>(value);
    if (!made)
      return nullptr;
    switch (made->getOpcode()) {
    case llvm::Instruction::PtrToInt:
      return object_of(made->getOperand(0));
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Freeze:
      return find(made->getOperand(0));
    case llvm::Instruction::And: // down to a multiple
    case llvm::Instruction::Or:
      return llvm::isa<llvm::ConstantInt>(made->getOperand(1)) ? find(made->getOperand(0))
                                                               : nullptr;
    case llvm::Instruction::Add:
      return of_sum(find(made->getOperand(0)), find(made->getOperand(1)));
    case llvm::Instruction::Sub: {
      const auto taken = find(made->getOperand(1));
      return taken && !*taken ? find(made->getOperand(0)) : nullptr;
    }
    case llvm::Instruction::PHI:
      return same(llvm::cast<llvm::PHINode>(value)->incoming_values());
    case llvm::Instruction::Select:
      return same(llvm::drop_begin(made->operands()));
    default:
      return nullptr;
    }
  }

  static llvm::Value* object_of(llvm::Value* pointer) {
    llvm::Value* const object = llvm::getUnderlyingObject(pointer);
    return llvm::isa<llvm::GlobalVariable, llvm::AllocaInst, llvm::Argument>(object) ? object
                                                                                     : nullptr;
  }

  // One operand is an address, and the other a distance.
  static std::optional<llvm::Value*> of_sum(std::optional<llvm::Value*> a,
                                            std::optional<llvm::Value*> b) {
    if (!a || !b) // in a loop, the value before plus a distance
      return a && *a ? nullptr : b && *b ? nullptr : std::optional<llvm::Value*>();
    return *a && *b ? nullptr : *a ? *a : *b;
  }

  template <typename Values> std::optional<llvm::Value*> same(Values&& values) {
    std::optional<llvm::Value*> result;
    for (llvm::Value* one : values) {
      const std::optional<llvm::Value*> base = find(one);
      if (base && result && *base != *result)
        return nullptr;
      if (base)
        result = base;
    }
    return result;
  }

  llvm::DenseMap<llvm::Value*, std::optional<llvm::Value*>> bases_;
};

// Returns a pointer to the object plus the distance of the address from its begin.
llvm::Value* inside(llvm::IRBuilder<>& builder, llvm::Value* object, llvm::Value* address,
                    llvm::Type* type) {
  llvm::Value* const distance =
      builder.CreateSub(address, builder.CreatePtrToInt(object, address->getType()));
  return builder.CreateAddrSpaceCast(
      builder.CreateGEP(builder.getInt8Ty(), object,
                        builder.CreateSExt(distance, builder.getInt64Ty())),
      type);
}

} // namespace

void point_into_objects(llvm::Function& function) {
  BaseFinder finder;
  const auto replace = [&](llvm::Instruction& pointer, llvm::Value* address, bool shared) {
    llvm::Value* const object = finder.base_of(address);
    const auto* const variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(object);
    if (!object || shared != (variable && variable->getAddressSpace() == kLocalSpace))
      return;
    llvm::IRBuilder<> builder(&pointer);
    pointer.replaceAllUsesWith(inside(builder, object, address, pointer.getType()));
    pointer.eraseFromParent();
  };
  for (const bool shared : {true, false}) {
    std::vector<llvm::Instruction*> pointers;
    for (llvm::Instruction& one : llvm::instructions(function))
      if (shared ? is_shared_at(one) : llvm::isa<llvm::IntToPtrInst>(one))
        pointers.push_back(&one);
    for (llvm::Instruction* one : pointers)
      replace(*one, one->getOperand(0), shared);
  }
}

} // namespace gputest::ir
