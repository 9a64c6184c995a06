// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a CUDA file to device code, as gputest-cuda does for a program's files.
#pragma once

#include "ir/frontend.h"

#include <string>
#include <vector>

namespace gputest::ir {

struct CompiledCuda {
  std::string device_code;               // a container (container.h)
  std::string kernel;                    // mangled
  std::vector<std::string> dependencies; // included files
};

// `source`: its name is the file's path, or its text has a #line with the path. `kernel`: the
// user's name for it (frontend/cuda/named_kernel.h). Throws SourceError with compiler-style
// messages, and InputError if there is no such kernel.
CompiledCuda compile_cuda(const Source& source, const std::string& kernel);

// Compiles the device functions of a text. Throws SourceError.
std::unique_ptr<llvm::Module> compile_cuda_functions(const std::string& text,
                                                     llvm::LLVMContext& context);

} // namespace gputest::ir
