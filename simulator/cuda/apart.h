// A launch that may harm the process that makes it, made by a copy of the process. The device's
// memory is shared, so what the kernel does to it is seen here; what it does to the copy's own is
// not.
#pragma once

#include "simulator/cuda/launch.h"

#include <functional>
#include <optional>
#include <string>

namespace gputest::simulator::cuda {

struct LaunchedApart {
  std::uint64_t error = kNoError;
  std::string message;
  std::optional<model::CodePlace> place; // of the last finding
  bool allocates = false;                // the kernel allocates memory by itself, or frees it
};

// `run`: makes the launch. Throws SimulatorFailure where there can be no copy.
LaunchedApart run_apart(const std::function<Launched()>& run, const Device& device);

} // namespace gputest::simulator::cuda
