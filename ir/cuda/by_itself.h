// A kernel of a CUDA file that is launched by itself, in the terms of OpenCL: all that it needs it
// is given. Dynamic __shared__ memory is a __local argument, and the variable gputest_state of
// instrumented code (passes/cuda_state.h) a buffer, the last one.
#pragma once

#include "ir/kernel.h"

#include <optional>
#include <string>

namespace gputest::simulator {

// Of instrumented code.
inline constexpr const char* kStateVariable = "gputest_state";

// From now on the kernel is called as users call it.
void be_by_itself(llvm::Module& module, const std::string& mangled, const std::string& name);
bool is_by_itself(const llvm::Function& kernel);

// What it has besides its parameters.
struct OwnVariables {
  struct Shared {
    std::string name, element; // element: "float", a scalar as OpenCL C calls it
  };
  std::optional<Shared> shared; // dynamic __shared__ memory
  bool state = false;
};

// Of a kernel before calls are inlined. Throws SourceError that names what takes or gives memory
// which no argument is, and what is another in each launch.
OwnVariables own_variables(const llvm::Function& kernel);

// Adds parameters to the shape, and lets the work-item's function read them.
void make_arguments_of(const OwnVariables& variables, llvm::Function& item, KernelShape& shape);

} // namespace gputest::simulator
