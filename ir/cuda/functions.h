// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions whose addresses are used: by pointers and as virtual functions.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Replaces addresses of functions by numbers, which are the same in every kernel of the module.
// Calls by pointer select among the functions of that type. Null and wrong numbers end the kernel.
void number_functions(llvm::Module& module);

// Adapts calls to the types of the called functions. PTX passes integers where functions from other
// sources have pointers or floats.
void fit_calls(llvm::Module& module);

} // namespace gputest::ir
