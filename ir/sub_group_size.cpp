// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/sub_group_size.h"

#include "ir/error.h"
#include "model/launches/lock_step.h"

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

constexpr const char* kKeptLockStep = "gputest.lock_step";

void keep_lock_step(llvm::Module& module, std::uint64_t lanes) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(kKeptLockStep)
      ->addOperand(llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                                  llvm::Type::getInt32Ty(context), lanes))));
}

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

void choose_lock_step(llvm::Module& module, const std::vector<std::string>& definitions) {
  const std::string wanted = model::lock_step_in(definitions);
  if (wanted.empty())
    return;
  const bool has_size = std::ranges::any_of(definitions, [](const std::string& definition) {
    return definition.starts_with(std::string(kSubGroupSize) + "=");
  });
  const auto lanes = static_cast<unsigned>(model::lock_step_number(definitions));
  if (lanes == 0)
    throw InputError(
        fmt::format("{}: {}", model::kLockStepMacro, model::no_lock_step("'" + wanted + "'")));
  if (has_size && decided_lanes(module) != lanes)
    throw InputError(fmt::format("{} work-items in lock step cannot have sub-groups of {} ({})",
                                 lanes, decided_lanes(module), kSubGroupSize));
  keep_lock_step(module, lanes);
  if (has_size)
    return;
  if (llvm::NamedMDNode* const of_environment = module.getNamedMetadata(kDecidedLanes))
    of_environment->clearOperands(); // it is for kernels without lock step
  decide_lanes(module, lanes);
}

void take_lock_step(llvm::Module& module) {
  for (const std::uint64_t lanes : model::kLockSteps) {
    llvm::Function* const marker = module.getFunction(fmt::format("gputest_lock_step_{}", lanes));
    if (!marker)
      continue;
    marker->replaceAllUsesWith(llvm::PoisonValue::get(marker->getType())); // in llvm.used
    marker->eraseFromParent();
    if (lanes != decided_lanes(module))
      throw SourceError(fmt::format(
          "error: {} threads in lock step are asked for, and a warp has {}: these are in step",
          lanes, decided_lanes(module)));
    keep_lock_step(module, lanes);
  }
}

std::optional<unsigned> lock_step_of(const llvm::Module& module) {
  const llvm::NamedMDNode* const kept = module.getNamedMetadata(kKeptLockStep);
  if (!kept || kept->getNumOperands() == 0)
    return std::nullopt;
  return static_cast<unsigned>(
      llvm::mdconst::extract<llvm::ConstantInt>(kept->getOperand(0)->getOperand(0))
          ->getZExtValue());
}

} // namespace gputest::ir
