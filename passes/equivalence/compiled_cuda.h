// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a CUDA text with mutants to LLVM IR, in order to compare code.
#pragma once

#include "frontend/cuda/unit.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gputest::passes {

// Compiles `text`, which begins with templates/mutants.cuh, for the device, as if it were the file
// of `options`: with GPUTEST_PURE and without optimising. Behaviour that C++ leaves undefined is
// defined (defined.h). `relocatable`: other units can call its functions. Fails with the compiler's
// messages.
llvm::Expected<std::unique_ptr<llvm::Module>> compile_cuda_text(const std::string& text,
                                                                frontend::CudaOptions options,
                                                                bool relocatable,
                                                                llvm::LLVMContext& context);

// Returns the functions that can be entered from outside of the module: kernels, functions whose
// address is taken and, in relocatable code, functions that other units can call. Each has the
// numbers of the mutants that it reaches, in ascending order.
std::map<std::string, std::vector<unsigned>> entries(const llvm::Module& module);

} // namespace gputest::passes
