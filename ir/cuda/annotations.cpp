// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/annotations.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace gputest::ir {
namespace {

// Returns the names with that annotation, and the annotation's numbers or null.
std::vector<std::pair<std::string, const llvm::ConstantStruct*>>
annotated(const llvm::Module& module, llvm::StringRef annotation) {
  std::vector<std::pair<std::string, const llvm::ConstantStruct*>> found;
  const llvm::GlobalVariable* const list = module.getNamedGlobal("llvm.global.annotations");
  if (!list || !list->hasInitializer())
    return found;
  for (const llvm::Use& entry : list->getInitializer()->operands()) {
    const auto* const parts = llvm::dyn_cast<llvm::ConstantStruct>(entry);
    if (!parts || parts->getNumOperands() < 2)
      continue;
    const auto* const text =
        llvm::dyn_cast<llvm::GlobalVariable>(parts->getOperand(1)->stripPointerCasts());
    const auto* const bytes =
        text && text->hasInitializer()
            ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer())
            : nullptr;
    if (!bytes || !bytes->isCString() || bytes->getAsCString() != annotation)
      continue;
    const auto* const numbers =
        parts->getNumOperands() > 4
            ? llvm::dyn_cast<llvm::GlobalVariable>(parts->getOperand(4)->stripPointerCasts())
            : nullptr;
    found.emplace_back(parts->getOperand(0)->stripPointerCasts()->getName().str(),
                       numbers && numbers->hasInitializer()
                           ? llvm::dyn_cast<llvm::ConstantStruct>(numbers->getInitializer())
                           : nullptr);
  }
  return found;
}

} // namespace

std::set<std::string> managed_variables(const llvm::Module& module) {
  std::set<std::string> names;
  for (const auto& [name, numbers] : annotated(module, "gputest.managed"))
    names.insert(name);
  return names;
}

std::map<std::string, std::array<std::uint64_t, 3>>
clusters_of_kernels(const llvm::Module& module) {
  std::map<std::string, std::array<std::uint64_t, 3>> clusters;
  for (const auto& [name, numbers] : annotated(module, "gputest.cluster")) {
    std::array<std::uint64_t, 3>& cluster = clusters[name];
    cluster = {1, 1, 1};
    for (unsigned i = 0; numbers && i < std::min(3U, numbers->getNumOperands()); ++i)
      if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(numbers->getOperand(i)))
        cluster[i] = number->getZExtValue();
  }
  return clusters;
}

} // namespace gputest::ir
