// What the tests leave open, as sentences about places in the source.
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

// Read as `<subject> '<text>' <rest>`: "branch 'a < b' was never false".
struct Finding {
  Severity severity = Severity::Missing;
  std::string file;
  unsigned line = 0, column = 0;
  std::string subject, text, rest; // none of them cleaned or escaped; text may be empty
};

// What is missing at one site: one finding for each outcome that never occurred, or a single "was
// never evaluated" when none of several did.
std::vector<Finding> missing_at(const model::SiteCoverage& entry);

// Everything, in order of file, line, column; errors first among those at one place. A barrier that
// diverged in several cases or groups is told once for each decision it depends on.
std::vector<Finding> findings_of(const model::Coverage& coverage);

// Cleaned, with `text` shortened to 60 columns.
std::string sentence(const Finding& finding);

} // namespace gputest::report
