// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V as LLVM IR. The translation is that of the program llvm-spirv, made to look as what Clang
// makes of OpenCL C (ir/frontend.h).
#pragma once

#include "model/spirv/module.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <optional>
#include <string>

namespace gputest::ir {

// Returns the path of llvm-spirv: $GPUTEST_LLVM_SPIRV, or else the first of the versions that this
// LLVM reads which is on the PATH; nullopt: there is none.
std::optional<std::string> spirv_translator();

// Translates a module. `name`: its name in messages, and in places where it has no debug
// information. Throws SourceError, where the translator is missing as well.
std::unique_ptr<llvm::Module> translate_spirv(const std::string& bytes, const std::string& name,
                                              llvm::LLVMContext& context);

} // namespace gputest::ir
