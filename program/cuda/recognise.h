// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises CUDA programs by their files.
#pragma once

#include <filesystem>

namespace gputest::program {

// Returns whether the file is an ELF program with device code for CUDA, or one that needs CUDA's
// libraries.
bool is_cuda_program(const std::filesystem::path& executable);

} // namespace gputest::program
