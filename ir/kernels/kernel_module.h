// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the module of a kernel in any language.
#pragma once

#include "frontend/source_options.h"
#include "ir/frontend.h"

#include <string>

namespace gputest::ir {

// Compiles the source, unless it has device code, or is a SPIR-V module (model::text_of_spirv()).
// The module defines the kernel under the user's name `kernel`, but lacks built-in functions
// (builtins.h). Throws SourceError with compiler-style messages, and InputError if a CUDA file has
// no such kernel.
CompiledSource compile_for(const std::string& kernel, const Source& source,
                           llvm::LLVMContext& context);

// Returns the source of a file's kernel that is launched by itself. `text`: the flat text for
// OpenCL C, or the text of a CUDA file, which may include others. Places in CUDA files are named as
// `options.file` and `options.source_root` say.
Source source_by_itself(const frontend::SourceOptions& options, std::string text);

} // namespace gputest::ir
