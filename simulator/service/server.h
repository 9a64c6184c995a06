// The simulator's end of protocol.h.
#pragma once

namespace gputest::simulator {

// Answers requests until the socket is closed or a launch was fatal. Returns the exit code: 0, or 3
// where the other side does not keep to the protocol.
int serve(int socket, int memory);

} // namespace gputest::simulator
