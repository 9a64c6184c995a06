// Compiles a CUDA text of mutants to LLVM IR, to compare code.
#pragma once

#include "frontend/cuda/unit.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gputest::passes::mutation {

// Compiles `text`, which begins with templates/mutants.cuh, for the device with GPUTEST_PURE and
// without optimising, in the place of the file. What C++ leaves undefined is defined (defined.h).
// `relocatable`: other units can call its functions. Fails with the compiler's messages.
llvm::Expected<std::unique_ptr<llvm::Module>> compile_cuda_text(const std::string& text,
                                                                CudaOptions options,
                                                                bool relocatable,
                                                                llvm::LLVMContext& context);

// What others than functions of the module can enter, with the numbers of the mutants that it
// reaches, in ascending order: kernels, functions whose address is taken and, in relocatable code,
// what other units can call.
std::map<std::string, std::vector<unsigned>> entries(const llvm::Module& module);

} // namespace gputest::passes::mutation
