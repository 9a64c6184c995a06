// What the compiler starts: Clang for the device, Clang for the host, and the linker.
#pragma once

#include "cuda/compiler/command.h"

namespace gputest::cuda::compiler {

// Returns the exit code: of what failed first, else 0. Throws std::runtime_error where nothing
// could be started.
int run(const Command& command);

} // namespace gputest::cuda::compiler
