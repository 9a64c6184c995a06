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
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <map>

namespace gputest::simulator {
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

std::string initial_bytes(llvm::GlobalVariable& variable, std::size_t size) {
  llvm::Constant* const initial = variable.hasInitializer() ? variable.getInitializer() : nullptr;
  if (!initial || initial->isNullValue() || llvm::isa<llvm::UndefValue>(initial))
    return "";
  const llvm::DataLayout& layout = variable.getParent()->getDataLayout();
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    const llvm::Constant* const byte = llvm::ConstantFoldLoadFromConst(
        initial, llvm::Type::getInt8Ty(variable.getContext()), llvm::APInt(64, i), layout);
    if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(byte))
      bytes[i] = static_cast<char>(number->getZExtValue());
    else if (!byte || !llvm::isa<llvm::UndefValue>(byte))
      throw SourceError(fmt::format("error: the variable '{}' of the program begins with an "
                                    "address, which the simulator does not know how to do; set it "
                                    "in a kernel",
                                    name_of_variable(variable.getName())));
  }
  return bytes;
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
  const std::size_t first = shape.objects.size();
  for (llvm::GlobalVariable* variable : variables) {
    const std::size_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    shape.objects.push_back({variable->getName().str(), Object::Kind::ProgramVariable, 0, size,
                             cuda && !shape.by_itself // CUDA's launches set the values
                                 ? ""
                                 : initial_bytes(*variable, size)});
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

} // namespace gputest::simulator
