// How Clang reads CUDA C++ with the headers of our own toolkit, which needs no NVIDIA file. Only
// text: the compiler of CUDA programs has no LLVM.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda {

// What nvcc and GCC warn of, and Clang refuses unless it is told otherwise.
inline std::vector<std::string> warnings_only() {
  return {"-Wno-error=register", "-Wno-error=c++11-narrowing",
          "-Wno-error=reserved-user-defined-literal", "-Wno-error=return-mismatch"};
}

// How the runtime's header, which each source begins with, is read: as a text, or in its place as
// Clang keeps it (kept_header.h).
inline constexpr const char *kHeader = "-include", *kHeaderName = "cuda_runtime.h";
inline constexpr const char* kKeptHeader = "-include-pch";

// Arguments of the driver of Clang, the program `clang` first. `root`: the toolkit, above include/.
inline std::vector<std::string> arguments_with_toolkit(const std::string& clang,
                                                       const std::string& root) {
  std::vector<std::string> arguments{clang,
                                     "-x",
                                     "cuda",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "--cuda-path=" + root, // and look at no other
                                     "--cuda-gpu-arch=sm_80",
                                     "-isystem",
                                     root + "/include",
                                     kHeader,
                                     kHeaderName,
                                     "-D__NVCC__=1", // programs ask for it
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

// What is added for the device's code as bitcode of which nothing is optimised yet, and whose
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
