// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the original kernel beside the instrumented one, and compares their outputs. No compiler
// promises that both compute the same, and coverage of anything but the original is worth nothing.
#pragma once

#include "runtime/plan/case_runner.h"

#include <functional>
#include <optional>
#include <string>

namespace gputest::runtime {

class OriginalTwin {
public:
  // Builds the original. Throws BuildError, and UsageError where there is no such kernel.
  OriginalTwin(Machine& machine, Subject original);

  // Runs the original on a copy of `test_case`, all of whose memory is read back. An error of the
  // launch is kept silent, because the test of the original reports it. Throws KernelFault.
  void launch(const BoundCase& test_case);

  struct Verdict {
    std::string difference; // what the instrumented kernel leaves differently; empty: nothing
    std::string varies;     // what varies from run to run and so was not compared; empty: nothing
  };
  // Compares what the original and the instrumented kernel left, within the tolerance of `initial`.
  // `computed` is what the instrumented kernel left of `initial`. `again` runs the instrumented
  // kernel once more. Where the original has failed, there is nothing to compare with, and the
  // verdict is empty.
  Verdict compare(const BoundCase& initial, const BoundCase& computed,
                  const std::function<void(BoundCase&)>& again);

private:
  CaseRunner runner_;
  std::optional<BoundCase> expected_;
};

} // namespace gputest::runtime
