// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process gputest-simulator, which starts before the first request, and its connection.
#pragma once

#include "process/child.h"
#include "process/descriptor.h"
#include "simulator/cuda/wire.h"

#include <optional>
#include <string>

namespace gputest::cuda {

class Simulator {
public:
  // Starts the simulator. `program`: its path when the program was compiled; empty: searches $PATH
  // and the installation. $GPUTEST_SIMULATOR takes precedence. `memory`: the descriptor of the
  // heap.
  Simulator(const std::string& program, int memory);
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  ~Simulator();

  // Sends a request and returns the answer. nullopt: the simulator could not be started or has
  // ended.
  std::optional<std::string> ask(const simulator::cuda::Writer& request);

  bool is_there() const { return static_cast<bool>(socket_); }

  // Returns how others have ended the simulator: "by SIGKILL", or "in a way that is not known" if
  // the program waits for processes that it has not started. Empty: they have not.
  const std::string& ended_by_others() const { return ended_by_others_; }

private:
  process::Descriptor socket_;
  process::Child child_;
  std::string ended_by_others_;
};

} // namespace gputest::cuda
