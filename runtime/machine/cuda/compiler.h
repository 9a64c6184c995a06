// The CUDA compiler of the machine, which makes GPU code of kernels' texts.
#pragma once

#include "runtime/machine/build_settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime::cuda {

// What a compilation has made.
struct DeviceCode {
  std::string image;                  // for cuModuleLoadData()
  std::string kernel;                 // as the compiler calls it
  std::vector<std::string> variables; // of the device
  std::string log;
};

// What code is made for.
struct Target {
  std::string gpu; // its name, for messages
  int major = 0, minor = 0;
};

class Compiler {
public:
  // bin/nvcc of $CUDAToolkit_ROOT, $CUDA_PATH or $CUDA_HOME, the nvcc of $PATH, or that of
  // /usr/local/cuda: the first that there is. Throws NoDevice.
  Compiler();

  const std::filesystem::path& program() const { return program_; }
  std::string version() const; // "V13.0.88"; empty: it does not say

  // Code of `kernel`, named as users do. What was compiled before is kept in the cache's folder
  // (model/files.h), and is taken while all that it includes is what it was. Throws BuildError,
  // UsageError without such a kernel, and DeviceError where it compiles for no such GPU.
  DeviceCode compile(const std::string& text, const BuildSettings& settings,
                     const std::string& kernel, const std::string& source,
                     const Target& target) const;

private:
  std::filesystem::path program_;
};

} // namespace gputest::runtime::cuda
