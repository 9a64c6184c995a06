// Arguments with which Clang reads CUDA C++. The headers are our own toolkit's, so no file of
// NVIDIA is needed. Only text, because the compiler command for CUDA programs does not link LLVM.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda {

// Arguments that turn errors of Clang into warnings, for code that nvcc and GCC accept.
inline std::vector<std::string> warnings_only() {
  return {"-Wno-error=register", "-Wno-error=c++11-narrowing",
          "-Wno-error=reserved-user-defined-literal", "-Wno-error=return-mismatch"};
}

// Arguments of Clang's driver, the program `clang` first. `root`: the toolkit's folder, which has
// include/.
inline std::vector<std::string> arguments_with_toolkit(const std::string& clang,
                                                       const std::string& root) {
  std::vector<std::string> arguments{clang,
                                     "-x",
                                     "cuda",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "--cuda-path=" + root, // and no other
                                     "--cuda-gpu-arch=sm_80",
                                     "-isystem",
                                     root + "/include",
                                     "-include",
                                     "cuda_runtime.h",
                                     "-D__NVCC__=1", // programs test it
                                     "-idirafter",
                                     root + "/include/gputest_cuda/openmp",
                                     "-Xclang",
                                     "-target-sdk-version=12.5",
                                     "-Wno-unknown-cuda-version",
                                     "-Wno-unused-command-line-argument"};
  for (const std::string& argument : warnings_only())
    arguments.push_back(argument);
  return arguments;
}

// Further arguments, for device code as bitcode that is not yet optimised and has source locations.
inline std::vector<std::string> arguments_for_bitcode() {
  return {"-O2",
          "-Xclang",
          "-disable-llvm-passes",
          "-gline-tables-only",
          "-fno-discard-value-names",
          "-ffp-contract=off",
          "-Wno-everything"};
}

} // namespace gputest::cuda
