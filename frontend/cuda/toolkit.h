// How Clang reads CUDA C++ with the headers of our own toolkit, which needs no NVIDIA file. Only
// text: the compiler of CUDA programs has no LLVM.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda {

// Arguments of the driver of Clang, the program `clang` first. `root`: the toolkit, above include/.
inline std::vector<std::string> arguments_with_toolkit(const std::string& clang,
                                                       const std::string& root) {
  return {clang,
          "-x",
          "cuda",
          "-nocudainc",
          "-nocudalib",
          "--cuda-path=" + root, // and look at no other
          "--cuda-gpu-arch=sm_80",
          "-isystem",
          root + "/include",
          "-include",
          "cuda_runtime.h",
          "-D__NVCC__=1", // programs ask for it
          "-idirafter",
          root + "/include/gputest_cuda/openmp",
          "-Xclang",
          "-target-sdk-version=12.5",
          "-Wno-unknown-cuda-version",
          "-Wno-unused-command-line-argument"};
}

// The same for the device's code as bitcode of which nothing is optimised yet, and whose
// instructions know their places.
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
