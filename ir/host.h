// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This machine as the target of kernels.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace gputest::simulator {

// NVPTX's numbers of OpenCL's address spaces. Pointers keep them, though the host has only one
// address space.
constexpr unsigned kPrivateSpace = 0, kGlobalSpace = 1, kLocalSpace = 3, kConstantSpace = 4;

// Returns the target for this processor with all its features. Throws SimulatorFailure.
std::unique_ptr<llvm::TargetMachine> host_machine();

// Returns what compiled code depends on: "x86_64-…/znver4/+avx2,…".
std::string host_name();

// Retargets `module` to the host: data layout, calling conventions and attributes.
void retarget(llvm::Module& module);

} // namespace gputest::simulator
