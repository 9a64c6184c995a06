// What host programs know of: kinds of machines, and analyses.
#pragma once

#include "model/analyses.h"
#include "runtime/harness/analysis.h"
#include "runtime/machine/kind.h"

#include <span>

namespace gputest::runtime {

// Tables that must outlive what is made of them.
struct Registry {
  std::span<const MachineKind> machines;     // first the kind that any other name of a device means
  std::span<const model::Analysis> analyses; // first the one that is run where none is asked for
  std::span<const AnalysisRun> runs;         // one for each of these
};

// All there are.
Registry registry();

// The row of the analysis. Throws std::logic_error where there is no row for it.
const AnalysisRun& run_of(const Registry& registry, const model::Analysis& analysis);

} // namespace gputest::runtime
