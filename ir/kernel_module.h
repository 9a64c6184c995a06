// The module that has a kernel, whatever language its source is in.
#pragma once

#include "ir/frontend.h"

#include <string>

namespace gputest::simulator {

// Compiles what has no device code yet. The module defines `kernel` under this name, as users call
// it; built-in functions are missing (builtins.h). Throws SourceError with compiler-style messages,
// and InputError if a CUDA file has no such kernel.
CompiledSource compile_for(const std::string& kernel, const Source& source,
                           llvm::LLVMContext& context);

} // namespace gputest::simulator
