// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of CUDA's runtime, or of HIP's, as Clang keeps it once it has read it: a precompiled
// header. Each CUDA source begins with that header, and reading its text takes half of the time
// that a small source takes. Kept headers are in the folder `cuda-headers` of the cache, one for
// each set of options. No LLVM.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::frontend::cuda {

struct KeptHeader {
  std::vector<std::string> arguments;
  std::vector<std::filesystem::path> files; // of the cache; none: the arguments are as given
};

inline constexpr std::string_view kKeptEnding = ".gputest.pch", kTextEnding = ".gputest.h";

// Whether a file that Clang has read is one of the cache: the files that it was made of are read in
// its place, and what is compiled depends on them alone.
inline bool is_of_kept_header(std::string_view file) {
  return file.ends_with(kKeptEnding) || file.ends_with(kTextEnding);
}

// The arguments with a kept header in place of `-include cuda_runtime.h` or of HIP's. The header is
// made if there is none, and if a file that it was made of has changed. `arguments`: those of
// Clang's driver that say how sources are read, for the host or for the device, the program first,
// with no source, output or rule of dependencies. `run_quietly` starts a program, shows nothing of
// what it prints, and returns its exit code.
//
// The arguments stay as they are where the environment names no cache that can be written, where
// the variable GPUTEST_CUDA_KEPT_HEADERS is 0, from C++20 on, and where Clang cannot keep the
// header.
KeptHeader with_kept_header(const std::vector<std::string>& arguments,
                            const std::function<int(const std::vector<std::string>&)>& run_quietly);

} // namespace gputest::frontend::cuda
