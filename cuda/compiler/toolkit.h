// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folder that stands for a CUDA toolkit: bin/gputest-cuda, bin/nvcc, include/, lib64/.
#pragma once

#include <filesystem>
#include <string>

namespace gputest::cuda::compiler {

struct Toolkit {
  std::filesystem::path root;      // above bin/, where this program is
  std::filesystem::path simulator; // gputest-simulator
  std::string clang;               // model::file_of_others()
};

// Throws std::runtime_error if this program is not in such a folder.
Toolkit find_toolkit();

// Whether an argument for the linker, -lcublas or a path, names one of the toolkit's libraries that
// are loaded with the program. The runtime and the driver are linked into it.
bool is_loaded(const Toolkit& toolkit, const std::string& argument);

// Whether the argument names the driver's library. A program that links it may load PTX.
bool is_driver(const std::string& argument);

// Whether Clang finds LLVM's linker: beside itself, or in $PATH.
bool has_lld(const Toolkit& toolkit);

} // namespace gputest::cuda::compiler
