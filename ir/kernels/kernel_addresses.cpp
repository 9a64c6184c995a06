// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/kernel_addresses.h"

#include "frontend/llvm_version.h"
#include "ir/cuda/ptx/matrices.h"
#include "ir/cuda/special_registers.h"
#include "ir/host.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace gputest::ir {
namespace {

constexpr std::uint64_t kDescription = 0x6c656e72656b2375; // GPUTEST_KERNEL_DESCRIPTION

// Collects everything that functions and constants refer to.
void add_used(const llvm::User& user, std::set<const llvm::Value*>& found,
              std::vector<const llvm::Function*>& functions) {
  for (const llvm::Use& operand : user.operands()) {
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(operand);
    if (!constant || llvm::isa<llvm::ConstantData>(constant) || !found.insert(constant).second)
      continue;
    if (const auto* const function = llvm::dyn_cast<llvm::Function>(constant))
      functions.push_back(function);
    else if (!llvm::isa<llvm::GlobalVariable>(constant))
      add_used(*constant, found, functions);
  }
}

// Whether a constant is in a list that LLVM keeps, such as that of annotations.
bool is_of_list(const llvm::Value& value) {
  return std::ranges::any_of(value.users(), [](const llvm::User* user) {
    return llvm::isa<llvm::GlobalVariable>(user)
               ? user->getName().starts_with("llvm.")
               : llvm::isa<llvm::Constant>(user) && is_of_list(*user);
  });
}

bool takes_address(const llvm::Use& use) {
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser()))
    return !call->isCallee(&use);
  const llvm::User* const user = use.getUser();
  return !llvm::isa<llvm::Constant>(user) || llvm::isa<llvm::GlobalVariable>(user) ||
         (!llvm::isa<llvm::GlobalAlias>(user) && !is_of_list(*user));
}

llvm::Constant* description_of(const llvm::Function& kernel,
                               const std::map<const llvm::Function*, unsigned>& kernels,
                               llvm::Module& module) {
  const unsigned threads = kernels.at(&kernel), most_threads = threads > 0 ? threads : kMostThreads;
  llvm::LLVMContext& context = module.getContext();
  llvm::Type *const word = llvm::Type::getInt64Ty(context), *const half =
                                                                llvm::Type::getInt32Ty(context);
  llvm::Constant* const text = llvm::ConstantStruct::getAnon(
      {llvm::ConstantInt::get(word, kDescription),
       llvm::ConstantInt::get(word, shared_size(kernel, kernels)),
       llvm::ConstantInt::get(half, most_threads), llvm::ConstantInt::get(half, 0),
       llvm::ConstantDataArray::getString(context, kernel.getName())});
  auto* const variable = new llvm::GlobalVariable(
      module, text->getType(), true, llvm::GlobalValue::InternalLinkage, text,
      "gputest_kernel_" + kernel.getName(), nullptr, llvm::GlobalValue::NotThreadLocal,
      kConstantSpace, /*isExternallyInitialized=*/true);
  variable->setAlignment(llvm::Align(16));
  return llvm::ConstantExpr::getAddrSpaceCast(variable, kernel.getType());
}

} // namespace

std::size_t shared_size(const llvm::Function& kernel,
                        const std::map<const llvm::Function*, unsigned>& kernels) {
  std::set<const llvm::Value*> found;
  for (const auto& [other, threads] : kernels)
    found.insert(other); // those that it launches have memory of their own
  std::vector<const llvm::Function*> functions{&kernel};
  for (std::size_t i = 0; i < functions.size(); ++i)
    for (const llvm::Instruction& instruction : llvm::instructions(*functions[i]))
      add_used(instruction, found, functions);
  std::size_t size = 0;
  for (const llvm::Value* value : found)
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
        variable && variable->getAddressSpace() == kLocalSpace &&
        variable->getName() != kShownToWarp)
      size += kernel.getParent()
                  ->getDataLayout()
                  .getTypeAllocSize(variable->getValueType())
                  .getFixedValue();
  return size;
}

void settle_static_shared(llvm::Module& module, llvm::StringRef kernel) {
  llvm::Function* const asked = module.getFunction(kStaticShared);
  const llvm::Function* const function = module.getFunction(kernel);
  if (!asked || !function)
    return;
  const std::size_t size = shared_size(*function, frontend::llvm_version::cuda_kernels(module));
  for (llvm::User* user : llvm::make_early_inc_range(asked->users()))
    if (auto* const call = llvm::dyn_cast<llvm::CallInst>(user)) {
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), size));
      call->eraseFromParent();
    }
}

void describe_kernels(llvm::Module& module) {
  const auto kernels = frontend::llvm_version::cuda_kernels(module);
  for (llvm::Function& kernel : module) // in this order, because it is that of the variables
    if (kernels.contains(&kernel) && llvm::any_of(kernel.uses(), takes_address))
      kernel.replaceUsesWithIf(description_of(kernel, kernels, module),
                               [](llvm::Use& use) { return takes_address(use); });
}

} // namespace gputest::ir
