// The module that has a kernel, whatever language its source is in.
#pragma once

#include "frontend/source_options.h"
#include "ir/frontend.h"

#include <string>

namespace gputest::simulator {

// Compiles what has no device code yet. The module defines `kernel` under this name, as users call
// it; built-in functions are missing (builtins.h). Throws SourceError with compiler-style messages,
// and InputError if a CUDA file has no such kernel.
CompiledSource compile_for(const std::string& kernel, const Source& source,
                           llvm::LLVMContext& context);

// The source of a file's kernel by itself. A CUDA file includes others, beside it and in folders;
// places in it are told as `options.file` and `options.source_root` have it. One of OpenCL C is
// flat: `text` is all of it.
Source source_by_itself(const passes::SourceOptions& options, std::string text);

} // namespace gputest::simulator
