// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine's own CUDA compiler (nvcc), which compiles the texts of kernels for a GPU.
#pragma once

#include "runtime/machine/build_settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime::cuda {

// The result of a compilation.
struct DeviceCode {
  std::string image;                  // for cuModuleLoadData()
  std::string kernel;                 // the compiler's name of the kernel
  std::vector<std::string> variables; // the compiler's names of the device's variables
  std::string log;
};

// The GPU that code is made for.
struct Target {
  std::string gpu; // its name, for messages
  int major = 0, minor = 0;
};

class Compiler {
public:
  // Finds the compiler, the first of: bin/nvcc of $CUDAToolkit_ROOT, $CUDA_PATH or $CUDA_HOME, the
  // nvcc of $PATH, and that of /usr/local/cuda. Throws NoDevice.
  Compiler();

  const std::filesystem::path& program() const { return program_; }
  std::string version() const; // "V13.0.88"; empty: unknown

  // Compiles `kernel`, which has the user's name. `source` is what messages call the text. The
  // cache's folder (model/files.h) keeps code, which is used again while all that it includes is
  // unchanged. Throws BuildError, UsageError where there is no such kernel, and DeviceError where
  // the compiler knows no such GPU.
  DeviceCode compile(const std::string& text, const BuildSettings& settings,
                     const std::string& kernel, const std::string& source,
                     const Target& target) const;

private:
  std::filesystem::path program_;
};

} // namespace gputest::runtime::cuda
