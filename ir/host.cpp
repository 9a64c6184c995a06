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
#include <mutex>
#include <vector>

namespace gputest::ir {
namespace {

// Asking a processor what it can takes long in a virtual machine, so it is asked once.
const std::string& host_features() {
  static const std::string kSorted = [] {
    std::vector<std::string> features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures())
      features.push_back((feature.getValue() ? "+" : "-") + feature.getKey().str());
    std::ranges::sort(features);
    return fmt::format("{}", fmt::join(features, ","));
  }();
  return kSorted;
}

const std::string& host_processor() {
  static const std::string kName = llvm::sys::getHostCPUName().str();
  return kName;
}

// Machines that nobody has borrowed.
struct Shelf {
  std::mutex mutex;
  std::vector<std::unique_ptr<llvm::TargetMachine>> machines;
};

Shelf& shelf() {
  static Shelf shelf;
  return shelf;
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
      frontend::llvm_version::TargetName(triple), host_processor(), host_features(), options,
      llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, /*JIT=*/true));
}

BorrowedMachine::BorrowedMachine() {
  {
    const std::scoped_lock lock(shelf().mutex);
    if (!shelf().machines.empty()) {
      machine_ = std::move(shelf().machines.back());
      shelf().machines.pop_back();
      return;
    }
  }
  machine_ = host_machine();
}

BorrowedMachine::~BorrowedMachine() {
  const std::scoped_lock lock(shelf().mutex);
  shelf().machines.push_back(std::move(machine_));
}

std::string host_name() {
  return fmt::format("{}/{}/{}", llvm::sys::getProcessTriple(), host_processor(), host_features());
}

void retarget(llvm::Module& module) {
  static const std::unique_ptr<llvm::TargetMachine> machine = host_machine();
  module.setTargetTriple(frontend::llvm_version::TargetName(machine->getTargetTriple().str()));
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

} // namespace gputest::ir
