#include "simulator/checks/instrument.h"

#include "ir/accesses.h"
#include "ir/host.h"
#include "ir/places.h"
#include "templates/simulator/context.h"

#include <cstddef>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

// The begin and the size of an object that the launch places.
struct PlacedObject {
  llvm::Value *begin, *size;
};

PlacedObject placed_object(Builder& builder, llvm::Function& item, unsigned index) {
  const auto load = [&](llvm::Type* type, llvm::Value* from, std::size_t offset) {
    llvm::LoadInst* const value = builder.CreateLoad(
        type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, offset));
    value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                       llvm::MDNode::get(builder.getContext(), {}));
    return value;
  };
  llvm::Value* const objects =
      load(builder.getPtrTy(), item.getArg(0), offsetof(gputest_context, objects));
  const std::size_t at = index * sizeof(gputest_context::gputest_object);
  return {
      load(builder.getPtrTy(), objects, at + offsetof(gputest_context::gputest_object, begin)),
      load(builder.getInt64Ty(), objects, at + offsetof(gputest_context::gputest_object, size))};
}

class AccessChecks {
public:
  AccessChecks(llvm::Function& item, const AccessSet& set, KernelShape& shape)
      : item_(item), module_(*item.getParent()), shape_(shape), set_(set) {}

  void run() {
    const std::vector<Access>& accesses = set_.all();
    for (std::size_t i = 0; i < accesses.size(); ++i)
      check_bounds(accesses[i], set_.origin(i));
  }

private:
  llvm::Value* plain(Builder& builder, llvm::Value* pointer) const {
    return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
  }

  llvm::Value* site(Builder& builder, const Access& access) {
    return builder.getInt32(site_of(*access.instruction, shape_));
  }

  // Constant places within a variable need no check.
  bool certainly_inside(const Access& access, std::uint64_t object_size) const {
    const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(access.size);
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        access.pointer()->stripAndAccumulateConstantOffsets(module_.getDataLayout(), offset, true);
    return size && (llvm::isa<llvm::AllocaInst>(base) || llvm::isa<llvm::GlobalVariable>(base)) &&
           offset.isNonNegative() && offset.getZExtValue() + size->getZExtValue() <= object_size;
  }

  void check_bounds(const Access& access, const Origin& origin) {
    llvm::Instruction& instruction = *access.instruction;
    Builder builder(&instruction);
    llvm::Value* const pointer = plain(builder, access.pointer());
    llvm::Value* checked = nullptr;
    if (origin.object >= 0) {
      const Object& object = shape_.objects[static_cast<unsigned>(origin.object)];
      llvm::Value *begin = nullptr, *length = nullptr;
      if (object.kind == Object::Kind::Argument || object.kind == Object::Kind::LocalVariable) {
        const PlacedObject placed =
            placed_object(builder, item_, static_cast<unsigned>(origin.object));
        begin = placed.begin;
        length = placed.size;
      } else {
        if (certainly_inside(access, object.size))
          return;
        begin = plain(builder, origin.begin);
        length = builder.getInt64(object.size);
      }
      checked = call(builder, "gputest_bounds", builder.getPtrTy(),
                     {item_.getArg(0), pointer, access.size, begin, length,
                      builder.getInt32(static_cast<unsigned>(origin.object)), site(builder, access),
                      builder.getInt32(access.write)});
    } else if (access.space() == kGlobalSpace || access.space() == kLocalSpace) {
      checked = call(builder, "gputest_bounds_of_any", builder.getPtrTy(),
                     {item_.getArg(0), pointer, access.size, site(builder, access),
                      builder.getInt32(access.write)});
    } else {
      return; // a pointer to one of several private variables or constants
    }
    check_alignment(builder, access, checked);
    instruction.setOperand(access.operand,
                           builder.CreateAddrSpaceCast(checked, access.pointer()->getType()));
  }

  // Vectors and 64-bit numbers; code for processors that would fault relies on nothing after this.
  void check_alignment(Builder& builder, const Access& access, llvm::Value* pointer) {
    if (access.alignment < 8)
      return;
    call(builder, "gputest_alignment", builder.getVoidTy(),
         {item_.getArg(0), pointer, access.size, builder.getInt64(access.alignment),
          site(builder, access), builder.getInt32(access.write)});
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
        load && !load->isAtomic())
      load->setAlignment(llvm::Align(1));
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
        store && !store->isAtomic())
      store->setAlignment(llvm::Align(1));
  }

  llvm::CallInst* call(Builder& builder, const char* name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (llvm::Value* argument : arguments)
      types.push_back(argument->getType());
    llvm::CallInst* const made = builder.CreateCall(
        module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)),
        arguments);
    return made;
  }

  llvm::Function& item_;
  llvm::Module& module_;
  KernelShape& shape_;
  const AccessSet& set_;
};

} // namespace

void place_local_variables(llvm::Function& item, KernelShape& shape) {
  llvm::Module& module = *item.getParent();
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == kLocalSpace && !variable.use_empty())
      variables.push_back(&variable);
  for (llvm::GlobalVariable* variable : variables) {
    llvm::convertUsersOfConstantsToInstructions({variable});
    Builder builder(&item.getEntryBlock(), item.getEntryBlock().getFirstInsertionPt());
    const auto index = static_cast<unsigned>(shape.objects.size());
    const llvm::StringRef name = variable->getName();
    shape.objects.push_back(
        {(name.contains('.') ? name.rsplit('.').second : name).str(), Object::Kind::LocalVariable,
         0, module.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue()});
    llvm::Value* const begin = placed_object(builder, item, index).begin;
    llvm::cast<llvm::Instruction>(begin)->setMetadata(
        "gputest.object", llvm::MDNode::get(builder.getContext(), llvm::ConstantAsMetadata::get(
                                                                      builder.getInt64(index))));
    variable->replaceAllUsesWith(builder.CreateAddrSpaceCast(begin, variable->getType()));
    variable->eraseFromParent();
  }
}

void check_bounds(llvm::Function& item, const AccessSet& accesses, KernelShape& shape) {
  AccessChecks(item, accesses, shape).run();
}

} // namespace gputest::simulator
