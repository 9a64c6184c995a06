// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes coverage by source line, for lcov, Cobertura and the HTML page.
#pragma once

#include "model/coverage.h"
#include "report/common/source.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::report {

struct Line {
  // The number of test cases in which the line ran: the largest count among the statements that
  // start on it. If no statement starts there, it is the largest count among the outcomes of what
  // does: a condition on its own line, a `case` label, a loop, a barrier.
  std::uint64_t cases = 0;
  bool has_statement = false;
  std::vector<const model::SiteCoverage*> branches; // sites of criterion Branch that start here
  std::vector<const model::SiteCoverage*> others{}; // sites of Loop and Barrier that start here
};

struct Function {
  std::string name;
  // The line of its name: the nearest one up to its first site. In a macro, or without the source,
  // it is the line of the first site.
  unsigned line = 0;
  std::uint64_t cases = 0; // largest count among its sites that count for lines
  std::vector<unsigned> lines;
};

struct File {
  std::string name;
  std::map<unsigned, Line> lines;  // by line number; only lines that can run or branch
  std::vector<Function> functions; // in order of position
};

// Returns the files in order of name. The result points into `coverage`.
std::vector<File> files_of(const model::Coverage& coverage, const SourceTree& sources);

model::Tally line_tally(const std::map<unsigned, Line>& lines);
// Returns the outcomes of all branches that start on the line.
model::Tally branch_tally(const Line& line);
model::Tally branch_tally(const std::map<unsigned, Line>& lines);

} // namespace gputest::report
