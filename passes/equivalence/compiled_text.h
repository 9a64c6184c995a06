// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles an OpenCL C text with mutants to LLVM IR, in order to compare code.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <string>

namespace gputest::passes {

// Compiles `text`, which begins with templates/mutants.cl, with GPUTEST_PURE and without
// optimising. Behaviour that C leaves undefined is defined if possible, so that optimisation cannot
// use it: integers wrap, variables begin with some value, loops may be endless, pointers may alias.
// Fails with the compiler's messages.
llvm::Expected<std::unique_ptr<llvm::Module>>
compile_text(const std::string& text, const std::string& cl_std, llvm::LLVMContext& context);

} // namespace gputest::passes
