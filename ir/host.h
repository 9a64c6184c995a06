// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This machine as the target of kernels.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace gputest::ir {

// NVPTX's numbers of OpenCL's address spaces. Pointers keep them, though the host has only one
// address space.
constexpr unsigned kPrivateSpace = 0, kGlobalSpace = 1, kLocalSpace = 3, kConstantSpace = 4;

// Returns the target for this processor with all its features. Throws SimulatorFailure.
std::unique_ptr<llvm::TargetMachine> host_machine();

// A host_machine() for a time, to ask about costs: machines take long to make, and each is for one
// thread at a time.
class BorrowedMachine {
public:
  BorrowedMachine();
  ~BorrowedMachine();
  BorrowedMachine(const BorrowedMachine&) = delete;
  BorrowedMachine& operator=(const BorrowedMachine&) = delete;

  llvm::TargetMachine* get() { return machine_.get(); }

private:
  std::unique_ptr<llvm::TargetMachine> machine_;
};

// Returns what compiled code depends on: "x86_64-…/znver4/+avx2,…".
std::string host_name();

// Retargets `module` to the host: data layout, calling conventions and attributes.
void retarget(llvm::Module& module);

} // namespace gputest::ir
