// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks of the simulator, for forks of a program (wire.h). They have its modules and compiled code.
#pragma once

#include "process/child.h"
#include "process/descriptor.h"
#include "simulator/cuda/wire.h"

#include <optional>

namespace gputest::simulator::cuda {

class Forks {
public:
  static bool answers(Request request) {
    return request == Request::Fork || request == Request::Ended;
  }

  // What the fork serves.
  struct Served {
    process::Descriptor socket{}, memory{};
    bool runs_mutant = false;
  };

  // Answers a request from `socket`. Returns a value only in a new fork. Throws
  // process::ConnectionLost and std::runtime_error if the other side is gone.
  std::optional<Served> answer(Request request, Reader& rest, int socket);

private:
  std::optional<Served> begin(Reader& request, int socket);
  void end(bool waits, int socket);

  process::Child child_;
};

} // namespace gputest::simulator::cuda
