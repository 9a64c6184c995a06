// The original kernel beside the instrumented one: whether they compute the same. No compiler
// promises that, and coverage of something else than the original is worth nothing.
#pragma once

#include "runtime/plan/case_runner.h"

#include <functional>
#include <optional>
#include <string>

namespace gputest::runtime {

class OriginalTwin {
public:
  // Builds the original. Throws BuildError, UsageError without such a kernel.
  OriginalTwin(Machine& machine, Subject original);

  // Runs it on a copy of `test_case`, all of whose memory is read back.
  void launch(const BoundCase& test_case);

  struct Verdict {
    std::string difference; // empty: none, or none that is the instrumented kernel's
    std::string varies;     // what was not compared, because it varies by itself; empty: nothing
  };
  // `computed`: `initial` as the instrumented kernel, which `again` runs once more, left it. Where
  // the original has failed there is nothing to compare with.
  Verdict compare(const BoundCase& initial, const BoundCase& computed,
                  const std::function<void(BoundCase&)>& again);

private:
  CaseRunner runner_;
  std::optional<BoundCase> expected_;
};

} // namespace gputest::runtime
