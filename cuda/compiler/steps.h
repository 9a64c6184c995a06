// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the steps of a compilation: Clang for the device, Clang for the host, and the linker.
#pragma once

#include "cuda/compiler/command.h"

namespace gputest::cuda::compiler {

// Returns the exit code of the first step that fails, or 0. Throws std::runtime_error if a program
// cannot be started.
int run(const Command& command);

} // namespace gputest::cuda::compiler
