// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang reads HIP as CUDA, and its messages are about CUDA.
#pragma once

#include <string>

namespace gputest::cuda::compiler {

// Returns the messages with HIP's names in the place of CUDA's, outside of what they quote of the
// source. Assembler of AMD's GPUs and headers of ROCm's libraries are named as what they are.
std::string in_words_of_hip(const std::string& messages);

} // namespace gputest::cuda::compiler
