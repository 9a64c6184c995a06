// The machine that kernels run on: this one.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace gputest::simulator {

// NVPTX's numbers of OpenCL's address spaces, which pointers keep; to the host they are all one.
constexpr unsigned kPrivateSpace = 0, kGlobalSpace = 1, kLocalSpace = 3, kConstantSpace = 4;

// For this machine's processor with all it has. Throws SimulatorFailure.
std::unique_ptr<llvm::TargetMachine> host_machine();

// "x86_64-…/znver4/+avx2,…": what compiled code depends on.
std::string host_name();

// Makes `module` one for the host: data layout, calling conventions and attributes.
void retarget(llvm::Module& module);

} // namespace gputest::simulator
