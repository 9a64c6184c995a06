// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/placed.h"

#include "ir/alignment.h"
#include "ir/context_argument.h"
#include "ir/error.h"
#include "ir/host.h"
#include "ir/padding.h"
#include "ir/places.h"
#include "templates/simulator/context.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <map>

namespace gputest::ir {
namespace {

using Builder = llvm::IRBuilder<>;

llvm::LoadInst* invariant_load(Builder& builder, llvm::Type* type, llvm::Value* from,
                               std::size_t offset) {
  llvm::LoadInst* const value = builder.CreateLoad(
      type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, offset));
  value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                     llvm::MDNode::get(builder.getContext(), {}));
  value->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(builder.getContext(), {}));
  return value;
}

constexpr unsigned kMostNested = 16; // parts within parts of a constant

std::vector<llvm::GlobalVariable*> variables_of(llvm::Module& module, unsigned space) {
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == space && !variable.isConstant() && !variable.use_empty())
      variables.push_back(&variable);
  return variables;
}

// Removes the initial value from the kernel, because the launch sets it. It may hold addresses of
// other variables, which are instructions here and cannot be in a constant.
void forget_initial_value(llvm::GlobalVariable& variable) {
  if (variable.hasInitializer())
    variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
}

// Returns the variable's address in a function whose first argument is the context.
llvm::Value* begin_of(const llvm::GlobalVariable& variable, llvm::Function& function,
                      unsigned index) {
  Builder builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  auto* const begin =
      llvm::cast<llvm::LoadInst>(placed_object(builder, function, index, false).begin);
  begin->setName(variable.getName());
  begin->setMetadata("gputest.object",
                     llvm::MDNode::get(builder.getContext(),
                                       llvm::ConstantAsMetadata::get(builder.getInt64(index))));
  set_alignment(*begin, kBufferAlignment);
  return builder.CreateAddrSpaceCast(begin, variable.getType());
}

// `index`: that of the variable in the shape's objects.
void replace(llvm::GlobalVariable& variable, unsigned index) {
  llvm::convertUsersOfConstantsToInstructions({&variable});
  if (std::ranges::any_of(variable.users(),
                          [](const auto* user) { return llvm::isa<llvm::Constant>(user); }))
    throw SourceError(
        fmt::format("error: a constant of the program has the address of the variable "
                    "'{}', which the simulator does not know how to do; take the "
                    "address in a kernel",
                    name_of_variable(variable.getName())));
  std::map<llvm::Function*, llvm::Value*> begins;
  for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
    llvm::Function* const user = llvm::cast<llvm::Instruction>(use.getUser())->getFunction();
    llvm::Value*& value = begins[user];
    if (!value)
      value = begin_of(variable, *user, index);
    use.set(value);
  }
  variable.eraseFromParent();
}

bool refers_to_variables(const llvm::Constant& constant, unsigned depth = 0) {
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return !variable->isConstant();
  return depth < kMostNested &&
         llvm::any_of(
             constant.operands(),
             [&](const llvm::Use& part) {
               return refers_to_variables(*llvm::cast<llvm::Constant>(part), depth + 1);
             });
}

// Stores what is in `value` to `to`, part by part.
void store_parts(Builder& builder, llvm::Constant& value, llvm::Value* to) {
  if (!llvm::isa<llvm::ConstantAggregate>(value) || value.getType()->isVectorTy()) {
    builder.CreateStore(&value, to);
    return;
  }
  for (unsigned i = 0; i < value.getNumOperands(); ++i)
    store_parts(builder, *llvm::cast<llvm::Constant>(value.getOperand(i)),
                builder.CreateConstInBoundsGEP2_32(value.getType(), to, 0, i));
}

// `int* tables[2] = {a, b}` of __shared__ variables is a copy of a constant. Addresses of variables
// that the launch places are no constants here, so each function gets a private variable instead.
void unfold_tables(llvm::Module& module) {
  for (llvm::GlobalVariable& table : llvm::make_early_inc_range(module.globals())) {
    if (!table.isConstant() || !table.hasInitializer() || !table.hasLocalLinkage() ||
        table.getAddressSpace() != kPrivateSpace || !refers_to_variables(*table.getInitializer()))
      continue;
    llvm::convertUsersOfConstantsToInstructions({&table});
    std::map<llvm::Function*, llvm::Value*> copies;
    for (llvm::Use& use : llvm::make_early_inc_range(table.uses())) {
      auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user)
        continue;
      llvm::Value*& copy = copies[user->getFunction()];
      if (!copy) {
        llvm::BasicBlock& entry = user->getFunction()->getEntryBlock();
        Builder builder(&entry, entry.getFirstInsertionPt());
        copy = builder.CreateAlloca(table.getValueType(), nullptr, table.getName());
        store_parts(builder, *table.getInitializer(), copy);
      }
      use.set(copy);
    }
    if (table.use_empty())
      table.eraseFromParent();
  }
}

using VariableSet = llvm::SetVector<llvm::GlobalVariable*>;

// Adds the variables whose addresses are in `value`.
void add_variables_in(const llvm::Constant& value, VariableSet& variables) {
  if (auto* const variable =
          llvm::dyn_cast<llvm::GlobalVariable>(const_cast<llvm::Constant*>(&value))) {
    variables.insert(variable);
    return;
  }
  for (const llvm::Use& part : value.operands())
    if (const auto* const constant = llvm::dyn_cast<llvm::Constant>(part))
      add_variables_in(*constant, variables);
}

VariableSet pointed_at_by(const llvm::GlobalVariable& variable) {
  VariableSet variables;
  if (variable.hasInitializer())
    add_variables_in(*variable.getInitializer(), variables);
  return variables;
}

struct PointerPlace {
  std::size_t at; // in bytes
  llvm::Type* type;
};

// Adds the places of pointers in a type.
void add_pointers_in(llvm::Type& type, const llvm::DataLayout& layout, std::size_t at,
                     std::vector<PointerPlace>& places) {
  if (type.isPointerTy()) {
    places.push_back({at, &type});
  } else if (auto* const structure = llvm::dyn_cast<llvm::StructType>(&type)) {
    const llvm::StructLayout& members = *layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      add_pointers_in(*structure->getElementType(i), layout, at + members.getElementOffset(i),
                      places);
  } else if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    const std::size_t before = places.size();
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      add_pointers_in(*array->getElementType(), layout,
                      at + i * layout.getTypeAllocSize(array->getElementType()), places);
      if (places.size() == before)
        return;
    }
  }
}

std::vector<PointerPlace> pointers_in(const llvm::GlobalVariable& variable) {
  std::vector<PointerPlace> places;
  add_pointers_in(*variable.getValueType(), variable.getParent()->getDataLayout(), 0, places);
  return places;
}

llvm::Constant* part_of(const llvm::GlobalVariable& variable, llvm::Type* type, std::size_t at) {
  return llvm::ConstantFoldLoadFromConst(const_cast<llvm::Constant*>(variable.getInitializer()),
                                         type, llvm::APInt(64, at),
                                         variable.getParent()->getDataLayout());
}

[[noreturn]] void refuse(const llvm::GlobalVariable& variable) {
  throw SourceError(fmt::format("error: the variable '{}' of the program begins with an address, "
                                "which the simulator does not know how to do; set it in a kernel",
                                name_of_variable(variable.getName())));
}

PointerInVariable pointer_at(const llvm::GlobalVariable& variable, const PointerPlace& place) {
  PointerInVariable pointer{.at = place.at};
  if (!variable.hasInitializer())
    return pointer;
  const llvm::Constant* const value = part_of(variable, place.type, place.at);
  if (!value)
    refuse(variable);
  if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value))
    return pointer;
  llvm::APInt offset(64, 0);
  const llvm::Value* const base =
      value->stripAndAccumulateConstantOffsets(variable.getParent()->getDataLayout(), offset, true);
  if (llvm::isa<llvm::ConstantPointerNull>(base))
    return pointer;
  if (!llvm::isa<llvm::GlobalVariable>(base))
    refuse(variable);
  pointer.variable = base->getName().str();
  pointer.offset = offset.getSExtValue();
  return pointer;
}

// Adds to the variables, which the launch places, what must be in such memory, too: constants that
// hold the address of one, and constants whose address one holds. If a variable has pointers, all
// variables of the program may be pointed at.
void add_pointed_at(llvm::Module& module, std::vector<llvm::GlobalVariable*>& variables) {
  VariableSet all(variables.begin(), variables.end());
  const auto may_hold = [](const llvm::GlobalVariable& variable) {
    return variable.getAddressSpace() == kGlobalSpace ||
           variable.getAddressSpace() == kConstantSpace;
  };
  for (std::size_t before = 0; before != all.size();) {
    before = all.size();
    const bool have_pointers = std::ranges::any_of(
        all, [](const llvm::GlobalVariable* variable) { return !pointers_in(*variable).empty(); });
    for (llvm::GlobalVariable& variable : module.globals())
      if (may_hold(variable) && variable.hasInitializer() &&
          ((have_pointers && !variable.isConstant()) ||
           std::ranges::any_of(pointed_at_by(variable),
                               [&](auto* other) { return all.contains(other); })))
        all.insert(&variable);
    for (std::size_t i = 0; i < all.size(); ++i) // grows
      for (llvm::GlobalVariable* const other : pointed_at_by(*all[i]))
        all.insert(other);
  }
  variables.assign(all.begin(), all.end());
}

// Sets `object.initial` and `object.pointers`. Throws SourceError if the initial value has another
// address than a variable's.
void describe_initial_value(const llvm::GlobalVariable& variable, Object& object) {
  const std::vector<PointerPlace> places = pointers_in(variable);
  for (const PointerPlace& place : places)
    object.pointers.push_back(pointer_at(variable, place));
  const llvm::Constant* const initial =
      variable.hasInitializer() ? variable.getInitializer() : nullptr;
  if (!initial || initial->isNullValue() || llvm::isa<llvm::UndefValue>(initial))
    return;
  object.initial.assign(object.size, '\0');
  auto next = places.begin();
  for (std::size_t i = 0; i < object.size; ++i) {
    if (next != places.end() && i == next->at) {
      i += sizeof(void*) - 1;
      ++next;
      continue;
    }
    const llvm::Constant* const byte =
        part_of(variable, llvm::Type::getInt8Ty(variable.getContext()), i);
    if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(byte))
      object.initial[i] = static_cast<char>(number->getZExtValue());
    else if (!byte || !llvm::isa<llvm::UndefValue>(byte))
      refuse(variable);
  }
}

// Returns the bytes of an element of the variable; "": all are those of values.
std::string bytes_of(const llvm::GlobalVariable& variable) {
  const std::string bytes = bytes_in(variable.getValueType(), variable.getParent()->getDataLayout(),
                                     variable.getAlign().valueOrOne().value());
  return has_values_only(bytes) ? "" : bytes;
}

} // namespace

PlacedObject placed_object(Builder& builder, llvm::Function& function, unsigned index, bool write) {
  using PlacedAs = gputest_context::gputest_object;
  llvm::Value* const objects = invariant_load(builder, builder.getPtrTy(), function.getArg(0),
                                              offsetof(gputest_context, objects));
  const std::size_t at = index * sizeof(PlacedAs);
  return {invariant_load(builder, builder.getPtrTy(), objects, at + offsetof(PlacedAs, begin)),
          invariant_load(builder, builder.getInt64Ty(), objects,
                         at + (write ? offsetof(PlacedAs, writable) : offsetof(PlacedAs, size)))};
}

llvm::Value* offset_in_object(Builder& builder, llvm::Value* address, llvm::Value* begin) {
  return builder.CreateSub(address, builder.CreatePtrToInt(begin, builder.getInt64Ty()));
}

llvm::Value* is_in_local_memory(Builder& builder, llvm::Function& item, const KernelShape& shape,
                                llvm::Value* address) {
  llvm::Value* is = builder.getFalse();
  for (unsigned i = 0; i < shape.objects.size(); ++i)
    if (shape.is_local(shape.objects[i])) {
      const PlacedObject object = placed_object(builder, item, i, true);
      llvm::Value* const offset = offset_in_object(builder, address, object.begin);
      is = builder.CreateOr(is, builder.CreateICmpULT(offset, object.size));
    }
  return is;
}

void set_alignment(llvm::LoadInst& load, std::uint64_t alignment) {
  llvm::LLVMContext& context = load.getContext();
  load.setMetadata(llvm::LLVMContext::MD_align,
                   llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                                  llvm::Type::getInt64Ty(context), alignment))));
}

void place_program_variables(llvm::Function& item, KernelShape& shape) {
  llvm::Module& module = *item.getParent();
  unfold_tables(module);
  const bool cuda = shape.language == Language::Cuda;
  std::vector<llvm::GlobalVariable*> variables = variables_of(module, kGlobalSpace);
  if (cuda)
    for (llvm::GlobalVariable& variable : module.globals())
      if (variable.isExternallyInitialized() && !variable.use_empty() &&
          std::ranges::find(variables, &variable) == variables.end())
        variables.push_back(&variable);
  // CUDA declares threadIdx and the like, whose members are functions.
  std::erase_if(variables, [](const auto* variable) { return variable->isDeclaration(); });
  const bool sets_values = !cuda || shape.by_itself; // CUDA's launches set the values
  if (sets_values)
    add_pointed_at(module, variables);
  const std::size_t first = shape.objects.size();
  for (llvm::GlobalVariable* variable : variables) {
    const std::size_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    Object& object = shape.objects.emplace_back(
        Object{variable->getName().str(), Object::Kind::ProgramVariable, 0, size});
    if (sets_values)
      describe_initial_value(*variable, object);
  }
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isExternallyInitialized()) // CUDA: also those that this kernel does not use
      forget_initial_value(variable);
  for (llvm::GlobalVariable* variable : variables)
    forget_initial_value(*variable);
  give_context(item, variables);
  for (std::size_t i = 0; i < variables.size(); ++i)
    replace(*variables[i], static_cast<unsigned>(first + i));
}

void place_dynamic_variables(llvm::Function& item, KernelShape& shape) {
  std::vector<llvm::GlobalVariable*> variables = variables_of(*item.getParent(), kLocalSpace);
  std::erase_if(variables, [](const auto* variable) { return !variable->isDeclaration(); });
  if (variables.empty())
    return;
  shape.objects.push_back({name_of_variable(variables.front()->getName()),
                           Object::Kind::LocalVariable, 0, 0, "", bytes_of(*variables.front())});
  for (llvm::GlobalVariable* variable : variables)
    replace(*variable, static_cast<unsigned>(shape.objects.size() - 1));
}

void place_local_variables(llvm::Function& item, KernelShape& shape) {
  llvm::Module& module = *item.getParent();
  for (llvm::GlobalVariable* variable : variables_of(module, kLocalSpace)) {
    shape.objects.push_back({name_of_variable(variable->getName()), Object::Kind::LocalVariable, 0,
                             module.getDataLayout().getTypeAllocSize(variable->getValueType()), "",
                             bytes_of(*variable)});
    replace(*variable, static_cast<unsigned>(shape.objects.size() - 1));
  }
}

} // namespace gputest::ir
