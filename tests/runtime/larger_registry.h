// All that host programs know of, and a made-up machine and analysis besides.
#pragma once

#include "runtime/harness/registry.h"
#include "tests/model/tally.h"
#include "tests/runtime/abacus/machine.h"
#include "tests/runtime/tally/run.h"

#include <vector>

namespace gputest::tests {

class LargerRegistry {
public:
  LargerRegistry() {
    const runtime::Registry all = runtime::registry();
    machines_.assign(all.machines.begin(), all.machines.end());
    machines_.push_back(abacus_kind());
    runs_.assign(all.runs.begin(), all.runs.end());
    runs_.push_back(tally_analysis()); // elsewhere it follows from the row
  }
  runtime::Registry get() const { return {machines_, analyses_, runs_}; }

private:
  std::vector<runtime::MachineKind> machines_;
  std::vector<model::Analysis> analyses_ = with_tally();
  std::vector<runtime::AnalysisRun> runs_;
};

} // namespace gputest::tests
