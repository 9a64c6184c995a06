// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serves the runtime library of a CUDA program (wire.h).
#pragma once

namespace gputest::simulator::cuda {

// Answers requests until `socket` is closed. `memory`: the descriptor of device memory. Returns an
// exit code.
int serve(int socket, int memory);

} // namespace gputest::simulator::cuda
