// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates PTX that a program loads to LLVM IR like Clang's device code.
#pragma once

#include "ir/error.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace gputest::ir {

// The text is not valid PTX, or uses something that the simulator does not know. what() names file,
// line and column.
class PtxError : public SourceError {
public:
  using SourceError::SourceError;
};

// The attribute of functions and variables that other modules must define.
constexpr const char* kPtxExternal = "gputest.ptx.external";

// Returns a module with the kernels, functions and variables of `text`. Places are those of `.loc`,
// or else lines of `name`. Throws PtxError.
std::unique_ptr<llvm::Module> read_ptx(const std::string& text, const std::string& name,
                                       llvm::LLVMContext& context);

// Throws PtxError if an attribute kPtxExternal is left, because no module has the definition.
void refuse_undefined(const llvm::Module& module);

} // namespace gputest::ir
