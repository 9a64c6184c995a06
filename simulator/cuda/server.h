// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serves the runtime library of a CUDA program (wire.h).
#pragma once

#include <functional>

namespace gputest::simulator::cuda {

// Answers requests until `socket` is closed. `memory`: the descriptor of device memory. `end_with`:
// makes a process end when the other end of a socket is closed. Returns an exit code.
int serve(int socket, int memory, const std::function<void(int)>& end_with);

} // namespace gputest::simulator::cuda
