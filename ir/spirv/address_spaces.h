// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address spaces of the target SPIR as those of NVPTX.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>

namespace gputest::ir {

// Returns the module for NVPTX: constant memory is address space 4 instead of 2, and pointers to
// any memory are 0 instead of 4. Throws SimulatorFailure.
std::unique_ptr<llvm::Module> for_nvptx(std::unique_ptr<llvm::Module> module);

} // namespace gputest::ir
