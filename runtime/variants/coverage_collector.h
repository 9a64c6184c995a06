// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up what test cases reached, for one kernel.
#pragma once

#include "model/coverage.h"
#include "runtime/variants/coverage_state.h"

#include <string>

namespace gputest::runtime {

class CoverageCollector {
public:
  // Only what `kernel` can reach counts: its own sites, and those of functions that it calls.
  // Throws UsageError if the table does not have the kernel.
  CoverageCollector(const model::SiteTable& table, const std::string& kernel);

  // Returns the outcomes that the case reached, as CaseRecord::reached.
  std::string add(const Recorded& recorded, const std::string& test_case);

  // Returns the coverage so far. The caller fills in name, device and cases.
  model::Coverage& coverage() { return coverage_; }

private:
  void add_divergence(const model::Vote& vote, std::uint32_t word, const std::string& test_case);

  model::Coverage coverage_;
  std::vector<model::Vote> votes_;
};

} // namespace gputest::runtime
