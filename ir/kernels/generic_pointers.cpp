// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/generic_pointers.h"

#include "ir/call.h"
#include "ir/host.h"
#include "ir/placed.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>

namespace gputest::ir {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr unsigned kLocalFence = 1, kGlobalFence = 2; // CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE

class Spaces {
public:
  Spaces(Builder& builder, llvm::Function& item, const KernelShape& shape, llvm::Value* pointer)
      : builder_(builder), item_(item), shape_(shape),
        address_(builder.CreatePtrToInt(pointer, builder.getInt64Ty())) {}

  llvm::Value* is_local() { return is_in(Parameter::Kind::Local, kLocalSpace); }
  llvm::Value* is_global() { return is_in(Parameter::Kind::Buffer, kGlobalSpace); }
  llvm::Value* is_private() {
    llvm::Value* const elsewhere = builder_.CreateOr(is_local(), is_global());
    return builder_.CreateAnd(builder_.CreateIsNotNull(address_), builder_.CreateNot(elsewhere));
  }

private:
  // A pointer past the last element is one of the object, too.
  llvm::Value* is_at(llvm::Value* begin, llvm::Value* size) {
    return builder_.CreateICmpULE(offset_in_object(builder_, address_, begin), size);
  }

  llvm::Value* is_in(Parameter::Kind kind, unsigned space) {
    llvm::Value* is = builder_.getFalse();
    for (unsigned i = 0; i < shape_.objects.size(); ++i)
      if (const Object& object = shape_.objects[i];
          object.kind == Object::Kind::Argument && shape_.parameters[object.parameter].kind == kind)
        for (const bool write : {false, true}) { // one of the sizes may be 0
          const PlacedObject placed = placed_object(builder_, item_, i, write);
          is = builder_.CreateOr(is, builder_.CreateAnd(builder_.CreateIsNotNull(placed.size),
                                                        is_at(placed.begin, placed.size)));
        }
    for (llvm::GlobalVariable& variable : item_.getParent()->globals())
      if (variable.getAddressSpace() == space && !variable.use_empty())
        is = builder_.CreateOr(is, is_at(&variable, builder_.getInt64(size_of(variable))));
    return is;
  }

  std::uint64_t size_of(const llvm::GlobalVariable& variable) const {
    return item_.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType());
  }

  Builder& builder_;
  llvm::Function& item_;
  const KernelShape& shape_;
  llvm::Value* address_;
};

llvm::Value* answer(Builder& builder, llvm::CallInst& call, llvm::Function& item,
                    const KernelShape& shape) {
  llvm::Value* const pointer = call.getArgOperand(0);
  Spaces spaces(builder, item, shape, pointer);
  const auto pointer_if = [&](llvm::Value* is) {
    return builder.CreateSelect(is, builder.CreateAddrSpaceCast(pointer, call.getType()),
                                llvm::Constant::getNullValue(call.getType()));
  };
  if (is_call(call, "__to_local"))
    return pointer_if(spaces.is_local());
  if (is_call(call, "__to_global"))
    return pointer_if(spaces.is_global());
  if (is_call(call, "__to_private"))
    return pointer_if(spaces.is_private());
  return builder.CreateSelect(spaces.is_local(), builder.getInt32(kLocalFence),
                              builder.CreateSelect(spaces.is_global(),
                                                   builder.getInt32(kGlobalFence),
                                                   builder.getInt32(0)));
}

} // namespace

bool asks_for_space(const llvm::Instruction& instruction) {
  return is_call(instruction, "__to_local") || is_call(instruction, "__to_global") ||
         is_call(instruction, "__to_private") || is_call(instruction, "_Z9get_fencePv") ||
         is_call(instruction, "_Z9get_fencePKv");
}

void tell_generic_pointers(llvm::Function& item, const KernelShape& shape) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item)))
    if (asks_for_space(instruction)) {
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      Builder builder(&call);
      call.replaceAllUsesWith(answer(builder, call, item, shape));
      call.eraseFromParent();
    }
}

} // namespace gputest::ir
