// Coverage by source line, for lcov, Cobertura and the HTML page.
#pragma once

#include "model/coverage.h"
#include "report/common/source.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::report {

struct Line {
  // The number of test cases in which the line ran: the largest count among the statements that
  // start on it. If no statement starts there but something else does (a condition on its own line,
  // a `case` label, a loop, a barrier), the largest count among the outcomes of that.
  std::uint64_t cases = 0;
  bool has_statement = false;
  std::vector<const model::SiteCoverage*> branches; // sites of criterion Branch that start here
  std::vector<const model::SiteCoverage*> others{}; // of Loop and Barrier
};

struct Function {
  std::string name;
  // Where its name is, in the nearest line up to its first site; without its source, or in a macro,
  // that of the first site.
  unsigned line = 0;
  std::uint64_t cases = 0; // largest count among its sites that count for lines
  std::vector<unsigned> lines;
};

struct File {
  std::string name;
  std::map<unsigned, Line> lines;  // by line number; only lines that can run or branch
  std::vector<Function> functions; // in order of position
};

// In order of file name. Points into `coverage`.
std::vector<File> files_of(const model::Coverage& coverage, const SourceTree& sources);

model::Tally line_tally(const std::map<unsigned, Line>& lines);
// Outcomes of all branches that start on the line.
model::Tally branch_tally(const Line& line);
model::Tally branch_tally(const std::map<unsigned, Line>& lines);

} // namespace gputest::report
