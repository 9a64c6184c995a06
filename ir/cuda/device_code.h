// CUDA's device code, which Clang has compiled for NVPTX, as what the rest of ir/ takes.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator {

// Reads containers (container.h), one after the other, and links them. Lines are those of the
// program's own files: what its compiler's headers do is done where they are called. Throws
// SourceError, and for PTX that is refused PtxError (ptx/module.h).
enum class Undefined { Refused, Allowed }; // what PTX expects of others, and nobody has
std::unique_ptr<llvm::Module> read_device_code(const std::string& containers,
                                               llvm::LLVMContext& context,
                                               Undefined undefined = Undefined::Refused);

bool is_cuda(const llvm::Module& module); // read_device_code() made it

// The same for one kernel (mangled name), in the words of OpenCL: work-item functions, barriers,
// and functions of the simulator's own. Throws SourceError that names what is missing.
std::unique_ptr<llvm::Module> device_kernel(const std::string& containers,
                                            const std::string& kernel, llvm::LLVMContext& context);

// A kernel of a module that read_device_code() made.
struct DeviceKernel {
  std::string name;                        // mangled
  std::vector<std::size_t> offsets, sizes; // of its parameters in the block of arguments: bytes
  std::size_t shared_size = 0;             // of its __shared__ variables of fixed size: bytes
  unsigned most_threads = 1024;            // of a block: __launch_bounds__
  std::array<std::uint64_t, 3> cluster{};  // __cluster_dims__; 0: the launch says it
};
std::vector<DeviceKernel> device_kernels(const llvm::Module& module);

// A __device__ or __constant__ variable, or a constant that one of them points to.
struct DeviceVariable {
  std::string name;
  std::size_t size = 0, alignment = 1; // bytes
  bool constant = false, managed = false;
};
std::vector<DeviceVariable> device_variables(llvm::Module& module);

// Its bytes before the first launch, if variables lie at `addresses`. Throws SourceError for what
// has no address in memory.
std::string initial_bytes(llvm::Module& module, const std::string& variable,
                          const std::map<std::string, std::uint64_t>& addresses);

} // namespace gputest::simulator
