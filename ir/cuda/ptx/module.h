// PTX that a program loads, as LLVM IR in the terms of Clang's device code.
#pragma once

#include "ir/error.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace gputest::simulator {

// The text is no PTX, or has what the simulator does not know. what() names file, line and column.
class PtxError : public SourceError {
public:
  using SourceError::SourceError;
};

// An attribute of functions and variables that the text expects of others.
constexpr const char* kPtxExternal = "gputest.ptx.external";

// Kernels, functions and variables of `text`. Places are those of `.loc` where there are any, and
// lines of `name` elsewhere. Throws PtxError.
std::unique_ptr<llvm::Module> read_ptx(const std::string& text, const std::string& name,
                                       llvm::LLVMContext& context);

// Throws PtxError where nobody has defined what PTX expects of others.
void refuse_undefined(const llvm::Module& module);

} // namespace gputest::simulator
