// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process gputest-simulator, which starts before the first request, and its connection.
#pragma once

#include "process/child.h"
#include "process/descriptor.h"
#include "simulator/cuda/wire.h"

#include <functional>
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

  // Makes a fork of the simulator, for a fork of this process that has a copy of its memory.
  // Returns the connection. Throws std::runtime_error.
  process::Descriptor begin_fork(int memory, bool runs_mutant);
  // Ends that fork, or waits until it has ended, and returns how it ended. Throws
  // std::runtime_error.
  process::Ended end_fork(bool waits);
  // In a fork of this process: uses that connection. `on_loss` is called if the simulator ends.
  void become(process::Descriptor socket, std::function<void()> on_loss);

  int descriptor() const { return socket_.number(); } // of the connection
  bool is_there() const { return static_cast<bool>(socket_); }

  // Returns how others have ended the simulator: "by SIGKILL", or "in a way that is not known" if
  // the program waits for processes that it has not started. Empty: they have not.
  const std::string& ended_by_others() const { return ended_by_others_; }

private:
  process::Descriptor socket_;
  process::Child child_;
  std::string ended_by_others_;
  std::function<void()> on_loss_; // empty: the simulator is this process's child
};

} // namespace gputest::cuda
