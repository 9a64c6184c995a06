// The program gputest-simulator, which this process starts when the first kernel is launched.
#pragma once

#include "simulator/cuda/wire.h"

#include <optional>
#include <string>

namespace gputest::cuda {

class Simulator {
public:
  // `program`: where the compiler saw it; empty: it is in $PATH, or installed. $GPUTEST_SIMULATOR
  // goes first. `memory`: the device's.
  Simulator(const std::string& program, int memory);
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  ~Simulator();

  // Nothing: it could not be started, or has ended.
  std::optional<std::string> ask(const simulator::cuda::Writer& request);

private:
  int socket_ = -1;
};

} // namespace gputest::cuda
