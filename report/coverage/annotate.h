// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects what is known about each line of each source file, to draw it beside the line.
#pragma once

#include "model/names.h"
#include "report/common/html_code.h"
#include "report/coverage/report.h"

#include <map>
#include <optional>

namespace gputest::report {

enum class LineState {
  None,     // nothing on it can run
  Covered,  // it ran, and no outcome on it is missing
  Partial,  // it ran, and some outcome on it is missing
  Missed,   // it never ran
  Divergent // a barrier on it diverged
};
constexpr auto names_of(LineState) { // classes in pages
  return std::to_array<std::string_view>({"none", "covered", "partial", "missed", "divergent"});
}
using model::name_of;

struct AnnotatedLine {
  LineState state = LineState::None;
  std::optional<std::uint64_t> cases; // number of test cases in which it ran
  std::vector<const model::SiteCoverage*> loops;
  // Findings on the line. A line that never ran has none about its branches.
  std::vector<CoverageFinding> notes;
  std::vector<Mark> marks; // the places that the notes are about
  bool is_gap() const;     // returns whether the line has something to look at
};

struct AnnotatedFile {
  std::string name;
  model::Criteria criteria; // tallies of the sites in this file
  std::map<unsigned, AnnotatedLine> lines;
  std::vector<const model::SiteCoverage*> sites;
};

// Returns the files in order of name, including files that only findings name. The result points
// into `report`.
std::vector<AnnotatedFile> annotate(const Report& report);

} // namespace gputest::report
