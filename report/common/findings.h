// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says what the tests did not reach, in sentences about places in the source.
#pragma once

#include "model/coverage.h"

#include <string>
#include <vector>

namespace gputest::report {

enum class Severity {
  Error,   // a divergent barrier: undefined behaviour
  Warning, // a construct that was not instrumented
  Missing  // an outcome that no test case reached
};

// The sentence is `<subject> '<text>' <rest>`: "branch 'a < b' was never false".
struct CoverageFinding {
  Severity severity = Severity::Missing;
  std::string file;
  unsigned line = 0, column = 0;
  std::string subject, text, rest; // neither cleaned nor escaped; text may be empty
};

// Returns what is missing at one site: a finding for each outcome that never occurred, or a single
// "was never evaluated" if none of several outcomes did.
std::vector<CoverageFinding> missing_at(const model::SiteCoverage& entry);

// Returns all findings, in order of file, line and column, with errors first at each place. A
// barrier that diverged in several cases or groups has one finding for each decision that it
// depends on.
std::vector<CoverageFinding> findings_of(const model::Coverage& coverage);

// Returns the finding's sentence, cleaned, with `text` shortened to 60 columns.
std::string sentence(const CoverageFinding& finding);

} // namespace gputest::report
