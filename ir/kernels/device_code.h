// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates CUDA's device code, which Clang has compiled for NVPTX, to the form that the rest of
// ir/ takes.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gputest::ir {

// Whether PTX may refer to functions and variables that no module defines.
enum class Undefined { Refused, Allowed };
// Reads consecutive containers (container.h) and links them. Code of the compiler's headers gets
// the place of the call in the program's own files. Throws SourceError, and PtxError for refused
// PTX (ptx/module.h).
std::unique_ptr<llvm::Module> read_device_code(const std::string& containers,
                                               llvm::LLVMContext& context,
                                               Undefined undefined = Undefined::Refused);

// The same for one kernel (its mangled name), expressed with OpenCL's work-item functions and
// barriers and functions of the simulator. Throws SourceError with the name of what is missing.
std::unique_ptr<llvm::Module> device_kernel(const std::string& containers,
                                            const std::string& kernel, llvm::LLVMContext& context);

// A kernel of a module that read_device_code() made.
struct DeviceKernel {
  std::string name;                        // mangled
  std::vector<std::size_t> offsets, sizes; // of parameters in the block of arguments, in bytes
  std::size_t shared_size = 0;             // bytes of __shared__ variables of fixed size
  unsigned most_threads = 1024;            // threads of a block: __launch_bounds__
  std::array<std::uint64_t, 3> cluster{};  // __cluster_dims__; 0: the launch decides
};
std::vector<DeviceKernel> device_kernels(const llvm::Module& module);

// A __device__ or __constant__ variable, or a constant that such a variable points to.
struct DeviceVariable {
  std::string name;
  std::size_t size = 0, alignment = 1; // bytes
  bool constant = false, managed = false;
};
std::vector<DeviceVariable> device_variables(llvm::Module& module);

// Returns the variable's bytes before the first launch. `addresses`: those of variables. Throws
// SourceError if it refers to something without an address in memory.
std::string initial_bytes(llvm::Module& module, const std::string& variable,
                          const std::map<std::string, std::uint64_t>& addresses);

} // namespace gputest::ir
