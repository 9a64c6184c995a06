// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/by_itself.h"

#include "ir/error.h"
#include "ir/host.h"
#include "ir/places.h"

#include <array>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>
#include <set>

namespace gputest::ir {
namespace {

constexpr const char* kByItself = "gputest.by_itself";
struct Refused {
  llvm::StringRef called; // a part of the function's name
  const char* why;
};
constexpr std::array kRefused{
    Refused{"gputest_launch_kernel", "the kernel launches another one here"},
    Refused{"gputest_malloc", "the kernel allocates memory here, which no argument is"},
    Refused{"gputest_free", "the kernel frees memory here, which no argument is"},
    Refused{"gputest_clock", "the kernel asks for the time here, which is another in each launch"},
    Refused{"gputest_grid_sync", "the blocks of the grid wait for each other here"},
    Refused{"gputest_cluster_sync", "the blocks of a cluster wait for each other here"},
    Refused{"gputest_shared_of", "a block uses the memory of another one of its cluster here"},
    Refused{"gputest_texture", "a texture or surface is used here, which no argument can be"},
    Refused{"gputest_surface", "a texture or surface is used here, which no argument can be"}};

Parameter& add_parameter(KernelShape& shape, std::string name, Parameter::Kind kind) {
  Parameter parameter{.name = std::move(name), .type = "", .kind = kind};
  parameter.size = sizeof(void*);
  parameter.offset = (shape.arguments_size + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*);
  shape.arguments_size = parameter.offset + parameter.size;
  return shape.parameters.emplace_back(std::move(parameter));
}

void replace(llvm::GlobalVariable& variable, llvm::Function& item, const Parameter& parameter) {
  llvm::convertUsersOfConstantsToInstructions({&variable});
  llvm::IRBuilder<> builder(&item.getEntryBlock(), item.getEntryBlock().getFirstInsertionPt());
  llvm::LoadInst* const pointer = builder.CreateLoad(
      variable.getType(),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), item.getArg(1), parameter.offset),
      parameter.name);
  pointer->setMetadata(llvm::LLVMContext::MD_invariant_load,
                       llvm::MDNode::get(builder.getContext(), {}));
  variable.replaceAllUsesWith(pointer);
  variable.eraseFromParent();
}

// Returns the variable's element type in OpenCL C; structs are bytes.
std::string element_of(const llvm::GlobalVariable& variable) {
  const llvm::Type* type = variable.getValueType();
  while (type->isArrayTy())
    type = type->getArrayElementType();
  if (type->isDoubleTy() || type->isFloatTy())
    return type->isDoubleTy() ? "double" : "float";
  if (type->isIntegerTy(64))
    return "long";
  return type->isIntegerTy(32) ? "int" : type->isIntegerTy(16) ? "short" : "char";
}

bool is_dynamic(const llvm::GlobalVariable& variable) {
  return variable.getAddressSpace() == kLocalSpace && variable.isDeclaration();
}

void look_for_dynamic(const llvm::User& user, std::optional<OwnVariables::Shared>& found) {
  for (const llvm::Use& operand : user.operands()) {
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(operand)) {
      if (is_dynamic(*variable) && !found)
        found = {name_of_variable(variable->getName()), element_of(*variable)};
    } else if (const auto* const constant = llvm::dyn_cast<llvm::ConstantExpr>(operand)) {
      look_for_dynamic(*constant, found);
    }
  }
}

void refuse(const llvm::Function& called, const model::CodePlace& place) {
  for (const Refused& refused : kRefused)
    if (called.getName().contains(refused.called))
      throw SourceError(fmt::format("{}error: {}: such a kernel cannot be run by itself",
                                    place_prefix(place), refused.why));
}

} // namespace

void be_by_itself(llvm::Module& module, const std::string& mangled, const std::string& name) {
  llvm::Function* const kernel = module.getFunction(mangled);
  kernel->setName(name);
  kernel->setMetadata(kByItself, llvm::MDNode::get(module.getContext(), {}));
}

bool is_by_itself(const llvm::Function& kernel) {
  return kernel.hasMetadata(kByItself);
}

OwnVariables own_variables(const llvm::Function& kernel) {
  OwnVariables variables{.shared = {},
                         .state = kernel.getParent()->getNamedGlobal(kStateVariable) != nullptr};
  // Functions of headers have no places: what they do is done where the author calls them.
  std::vector<std::pair<const llvm::Function*, model::CodePlace>> work{{&kernel, {}}};
  std::set<const llvm::Function*> seen{&kernel};
  while (!work.empty()) {
    const auto [function, called_at] = work.back();
    work.pop_back();
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      look_for_dynamic(instruction, variables.shared);
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
      if (!called)
        continue;
      const model::CodePlace place = function->getSubprogram() ? place_of(*call) : called_at;
      refuse(*called, place);
      if (!called->isDeclaration() && seen.insert(called).second)
        work.emplace_back(called, place);
    }
  }
  return variables;
}

void make_arguments_of(const OwnVariables& variables, llvm::Function& item, KernelShape& shape) {
  llvm::Module& module = *item.getParent();
  if (variables.shared) {
    Parameter& memory = add_parameter(shape, variables.shared->name, Parameter::Kind::Local);
    memory.type = variables.shared->element + "*";
    std::vector<llvm::GlobalVariable*> dynamic;
    for (llvm::GlobalVariable& variable : module.globals())
      if (is_dynamic(variable))
        dynamic.push_back(&variable);
    for (llvm::GlobalVariable* variable : dynamic)
      replace(*variable, item, memory);
  }
  if (!variables.state)
    return;
  const Parameter& state = add_parameter(shape, kStateVariable, Parameter::Kind::Buffer);
  if (llvm::GlobalVariable* const variable = module.getNamedGlobal(kStateVariable))
    replace(*variable, item, state);
}

} // namespace gputest::ir
