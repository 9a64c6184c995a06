// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outcome of one launch, as a machine reports it.
#pragma once

#include "runtime/machine/simulation.h"

#include <string>
#include <vector>

namespace gputest::runtime {

struct LaunchOutcome {
  double seconds = 0; // from enqueueing to the end, by the host's clock
  // "kernel 'x' wrote 3 bytes past the end of 'out' (64 elements), …", one for each buffer overrun.
  std::vector<std::string> out_of_bounds;
  std::vector<model::Finding> findings{}; // of the simulator's checks
  std::vector<model::Finding> notes{};    // of the simulator: what is no finding but worth knowing
  std::vector<simulator::wire::AccessedBytes> accessed{}; // of the simulator, where asked for
};

} // namespace gputest::runtime
