// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What analyses have in common that run a program repeatedly, each time with something changed.
#pragma once

#include <optional>

namespace gputest::program {

struct RepeatedRuns {
  unsigned seed = 1;
  std::optional<unsigned> baseline{}; // runs that change nothing, at least 2; nullopt: the usual
  unsigned jobs = 1;                  // programs that run at the same time
  double timeout_factor = 1;          // a time limit, as a multiple of a run that changes nothing
};

} // namespace gputest::program
