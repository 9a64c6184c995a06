// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a launch that may damage its process in a fork. The device's memory is shared, so this
// process sees the kernel's writes to it. Damage of the fork's own memory stays there.
#pragma once

#include "process/child.h"
#include "simulator/cuda/launch.h"

#include <functional>
#include <optional>
#include <string>

namespace gputest::simulator::cuda {

struct LaunchedApart {
  std::uint64_t error = kNoError;
  std::string message;
  std::optional<model::CodePlace> place; // that of the last finding
  bool allocates = false;                // the kernel allocates or frees memory
  process::Ended ended{};                // of the fork
};

// `run`: makes the launch. Throws std::runtime_error if the fork fails.
LaunchedApart run_apart(const std::function<Launched()>& run, const Device& device);

} // namespace gputest::simulator::cuda
