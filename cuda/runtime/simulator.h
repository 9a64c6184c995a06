// The process gputest-simulator, which starts before the first request, and its connection.
#pragma once

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

private:
  int socket_ = -1;
};

} // namespace gputest::cuda
