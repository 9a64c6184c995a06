// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sub_group_size.h"

#include "ir/error.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <llvm/IR/Constants.h>
#include <string_view>

namespace gputest::ir {
namespace {

constexpr const char* kDecidedLanes = "gputest.warp_size";
constexpr unsigned kUsualLanes = 32;
constexpr std::string_view kSubGroupSizes[] = {"8", "16", "32", "64"};

} // namespace

void decide_lanes(llvm::Module& module, unsigned lanes) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(kDecidedLanes)
      ->addOperand(llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                                  llvm::Type::getInt32Ty(context), lanes))));
}

unsigned decided_lanes(const llvm::Module& module) {
  const llvm::NamedMDNode* const decided = module.getNamedMetadata(kDecidedLanes);
  if (!decided || decided->getNumOperands() == 0)
    return kUsualLanes;
  return static_cast<unsigned>(
      llvm::mdconst::extract<llvm::ConstantInt>(decided->getOperand(0)->getOperand(0))
          ->getZExtValue());
}

void choose_sub_group_size(llvm::Module& module, const std::vector<std::string>& definitions) {
  const char* const variable = std::getenv(kSubGroupSize);
  std::string wanted = variable ? variable : "";
  for (const std::string& definition : definitions)
    if (const std::string start = std::string(kSubGroupSize) + "="; definition.starts_with(start))
      wanted = definition.substr(start.size());
  if (wanted.empty())
    return;
  if (std::ranges::find(kSubGroupSizes, wanted) == std::end(kSubGroupSizes))
    throw InputError(fmt::format("{}: '{}' is no size of a sub-group in the simulator: 8, 16, 32 "
                                 "and 64 are",
                                 kSubGroupSize, wanted));
  decide_lanes(module, static_cast<unsigned>(std::stoul(wanted)));
}

unsigned sub_group_size_of(const llvm::Function& kernel) {
  const llvm::MDNode* const required = kernel.getMetadata("intel_reqd_sub_group_size");
  if (!required || required->getNumOperands() == 0)
    return decided_lanes(*kernel.getParent());
  const auto size = static_cast<unsigned>(
      llvm::mdconst::extract<llvm::ConstantInt>(required->getOperand(0))->getZExtValue());
  if (std::ranges::find(kSubGroupSizes, std::to_string(size)) == std::end(kSubGroupSizes))
    throw SourceError(fmt::format("error: kernel '{}' requires sub-groups of {} work-items; the "
                                  "simulator has those of 8, 16, 32 and 64",
                                  kernel.getName().str(), size));
  return size;
}

} // namespace gputest::ir
