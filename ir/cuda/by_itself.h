// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers a CUDA kernel that is launched by itself to a kernel of OpenCL, whose arguments are
// everything that it needs. Dynamic __shared__ memory becomes a __local argument. The variable
// gputest_state of instrumented code (passes/cuda_state.h) becomes a buffer, the last argument.
#pragma once

#include "ir/kernel.h"

#include <optional>
#include <string>

namespace gputest::ir {

// Of instrumented code.
inline constexpr const char* kStateVariable = "gputest_state";

// From now on the kernel is called as users call it.
void be_by_itself(llvm::Module& module, const std::string& mangled, const std::string& name);
bool is_by_itself(const llvm::Function& kernel);

// Memory and state that the kernel uses besides its parameters.
struct OwnVariables {
  struct Shared {
    std::string name, element; // element: a scalar type of OpenCL C, "float"
  };
  std::optional<Shared> shared; // dynamic __shared__ memory
  bool state = false;
};

// Returns the variables of a kernel whose calls are not yet inlined. Throws SourceError with the
// function if the kernel uses memory that is no argument, or something that differs between
// launches.
OwnVariables own_variables(const llvm::Function& kernel);

// Adds parameters for the variables to the shape, and makes the work-item's function read them.
void make_arguments_of(const OwnVariables& variables, llvm::Function& item, KernelShape& shape);

} // namespace gputest::ir
