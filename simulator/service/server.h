// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's side of protocol.h.
#pragma once

namespace gputest::simulator {

// Answers requests until the socket is closed or a launch was fatal. `memory`: the descriptor of
// the memory file. Returns the exit code: 0, or 3 if the other side breaks the protocol.
int serve(int socket, int memory);

} // namespace gputest::simulator
