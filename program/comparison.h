// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a program does the same with instrumented kernels.
#pragma once

#include "model/mutation/guilty.h"

#include <cstddef>
#include <string>
#include <vector>

namespace gputest::program {

// A run with instrumented kernels is compared with one of the program's own.
struct Comparison {
  std::string difference;           // empty: none, except what varies by itself
  std::vector<std::string> kernels; // labels of kernels that cause it when instrumented alone
  // Number of pieces read back, and of those that vary by themselves.
  std::size_t pieces = 0, varying = 0;
  unsigned runs = 0;        // runs of the program for this comparison
  bool is_known = false;    // an earlier run without instrumentation read back the same
  model::Opinion opinion{}; // where there is a difference
};

} // namespace gputest::program
