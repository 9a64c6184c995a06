// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises CUDA programs by their files.
#pragma once

#include <filesystem>

namespace gputest::program {

// Returns whether the file is an ELF program with device code for CUDA or with CUDA's runtime, or
// one that needs CUDA's libraries; or a library that it needs is such a file. Libraries in folders
// of the system do not count.
bool is_cuda_program(const std::filesystem::path& executable);

} // namespace gputest::program
