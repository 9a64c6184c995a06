// Everything that is known about each line of each source file, for drawing beside the line.
#pragma once

#include "report/common/findings.h"
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

// Bytes of one line, as a half-open range of 0-based offsets. npos: to the end of the line.
struct Mark {
  std::size_t begin = 0, end = 0;
  Severity severity = Severity::Missing;
};

struct AnnotatedLine {
  LineState state = LineState::None;
  std::optional<std::uint64_t> cases; // in how many test cases it ran
  std::vector<const model::SiteCoverage*> loops;
  // Findings on the line. A line that never ran has none about its branches.
  std::vector<Finding> notes;
  std::vector<Mark> marks; // the places the notes are about
  bool is_gap() const;     // there is something to see here
};

struct AnnotatedFile {
  std::string name;
  model::Criteria criteria; // of the sites in this file
  std::map<unsigned, AnnotatedLine> lines;
  std::vector<const model::SiteCoverage*> sites;
};

// In order of file name, including files that only findings name. Points into `report`.
std::vector<AnnotatedFile> annotate(const Report& report);

} // namespace gputest::report
