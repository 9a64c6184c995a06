// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/analysis.h"

#include <algorithm>
#include <stdexcept>

namespace gputest::runtime {

const AnalysisRun& run_of(const Registry& registry, const model::Analysis& analysis) {
  const auto found = std::ranges::find(registry.runs, analysis.name, &AnalysisRun::name);
  if (found == registry.runs.end())
    throw std::logic_error("runtime/analyses/ has nothing for " + std::string(analysis.name));
  return *found;
}

} // namespace gputest::runtime
