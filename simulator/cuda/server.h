// Launches for the runtime library of a CUDA program (wire.h).
#pragma once

namespace gputest::simulator::cuda {

// Answers what comes through `socket` until it is closed. Returns an exit code.
int serve(int socket, int memory);

} // namespace gputest::simulator::cuda
