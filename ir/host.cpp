// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/host.h"

#include "frontend/llvm_version.h"
#include "ir/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Instructions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <vector>

namespace gputest::simulator {
namespace {

std::string host_features() {
  std::vector<std::string> features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.getValue() ? "+" : "-") + feature.getKey().str());
  std::ranges::sort(features);
  return fmt::format("{}", fmt::join(features, ","));
}

} // namespace

std::unique_ptr<llvm::TargetMachine> host_machine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const std::string triple = llvm::sys::getProcessTriple();
  std::string message;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    throw SimulatorFailure(message);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // equal results on every machine
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      llvm_version::TargetName(triple), llvm::sys::getHostCPUName(), host_features(), options,
      llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, /*JIT=*/true));
}

std::string host_name() {
  return fmt::format("{}/{}/{}", llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName().str(),
                     host_features());
}

void retarget(llvm::Module& module) {
  static const std::unique_ptr<llvm::TargetMachine> machine = host_machine();
  module.setTargetTriple(llvm_version::TargetName(machine->getTargetTriple().str()));
  module.setDataLayout(machine->createDataLayout());
  for (llvm::Function& function : module) {
    function.setCallingConv(llvm::CallingConv::C);
    for (const char* attribute :
         {"target-cpu", "target-features", "tune-cpu", "stack-protector-buffer-size",
          "uniform-work-group-size", "less-precise-fpmad"})
      function.removeFnAttr(attribute);
    function.removeFnAttr(llvm::Attribute::Convergent);
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", machine->getTargetCPU());
      function.addFnAttr("target-features", machine->getTargetFeatureString());
    }
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          call->setCallingConv(llvm::CallingConv::C);
  }
}

} // namespace gputest::simulator
