// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/coverage/annotate.h"

#include "report/common/lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace gputest::report {
namespace {

using model::Criterion;

constexpr std::size_t kLineEnd = std::string::npos;

std::size_t offset_of(unsigned column) {
  return column == 0 ? 0 : column - 1;
}

// Marks the extent of a site, line by line.
void mark(AnnotatedFile& file, const model::Site& site, Severity severity) {
  const unsigned last = std::max(site.line, std::min(site.end_line, site.line + 1000));
  for (unsigned number = site.line; number <= last; ++number) {
    const std::size_t begin = number == site.line ? offset_of(site.column) : 0;
    const std::size_t end = number == site.end_line ? offset_of(site.end_column) : kLineEnd;
    if (begin < end)
      file.lines[number].marks.push_back({.begin = begin, .end = end, .severity = severity});
  }
}

bool is_at(const CoverageFinding& finding, const model::Site& site) {
  return std::tie(finding.file, finding.line, finding.column) ==
         std::tie(site.file, site.line, site.column);
}

void add_sites(const model::Coverage& all, std::map<std::string, AnnotatedFile>& files) {
  for (const model::SiteCoverage& entry : all.sites) {
    AnnotatedFile& file = files[entry.site.file];
    file.sites.push_back(&entry);
    if (entry.site.criterion == Criterion::Loop)
      file.lines[entry.site.line].loops.push_back(&entry);
  }
  for (const File& covered : files_of(all, SourceTree{})) {
    for (const auto& [number, line] : covered.lines) {
      if (!line.has_statement && line.branches.empty())
        continue; // loops and barriers have notes of their own
      AnnotatedLine& annotated = files.at(covered.name).lines[number];
      annotated.cases = line.cases;
      annotated.state = line.cases > 0 ? LineState::Covered : LineState::Missed;
    }
  }
}

void add_missing(AnnotatedFile& file) {
  for (const model::SiteCoverage* entry : file.sites) {
    const std::vector<CoverageFinding> missing = missing_at(*entry);
    AnnotatedLine& line = file.lines[entry->site.line];
    const auto told = [&](const CoverageFinding& note) {
      return note.severity == Severity::Error && note.subject == "barrier" &&
             is_at(note, entry->site);
    };
    if (missing.empty() || line.state == LineState::Missed || std::ranges::any_of(line.notes, told))
      continue;
    line.notes.insert(line.notes.end(), missing.begin(), missing.end());
    if (line.state == LineState::Covered || line.state == LineState::None)
      line.state = LineState::Partial;
    mark(file, entry->site, Severity::Missing);
  }
}

// Adds a note at the decision: from which barrier it keeps work-items.
void add_decisions(const model::Coverage& all, std::map<std::string, AnnotatedFile>& files) {
  for (const model::DivergentBarrier& entry : all.divergent_barriers) {
    const CoverageFinding note{
        .severity = Severity::Error,
        .file = entry.decision.file,
        .line = entry.decision.line,
        .column = entry.decision.column,
        .subject = "decision",
        .text = entry.decision.text,
        .rest = fmt::format("parts the work-items of a group before the barrier at {}:{}",
                            entry.barrier.file, entry.barrier.line)};
    std::vector<CoverageFinding>& notes = files[note.file].lines[note.line].notes;
    const auto is_same = [&](const CoverageFinding& other) {
      return other.column == note.column && other.rest == note.rest;
    };
    if (std::ranges::none_of(notes, is_same))
      notes.push_back(note);
  }
}

model::Criteria criteria_of(const model::Coverage& all, const std::string& file) {
  model::Coverage part;
  for (const model::SiteCoverage& entry : all.sites)
    if (entry.site.file == file)
      part.sites.push_back(entry);
  for (const model::DivergentBarrier& entry : all.divergent_barriers)
    if (entry.barrier.file == file)
      part.divergent_barriers.push_back(entry);
  return model::tally(part);
}

} // namespace

bool AnnotatedLine::is_gap() const {
  return !notes.empty() || state == LineState::Missed || state == LineState::Divergent;
}

std::vector<AnnotatedFile> annotate(const Report& report) {
  std::map<std::string, AnnotatedFile> by_name;
  add_sites(report.all, by_name);
  for (const CoverageFinding& finding : findings_of(report.all)) {
    if (finding.severity == Severity::Missing)
      continue;
    AnnotatedLine& line = by_name[finding.file].lines[finding.line];
    line.notes.push_back(finding);
    if (finding.severity == Severity::Error)
      line.state = LineState::Divergent;
  }
  add_decisions(report.all, by_name);
  std::vector<AnnotatedFile> files;
  for (auto& [name, file] : by_name) {
    file.name = name;
    file.criteria = criteria_of(report.all, name);
    for (const model::DivergentBarrier& entry : report.all.divergent_barriers)
      for (const model::SiteCoverage* site : file.sites)
        if (entry.barrier.file == name && entry.barrier.id == site->site.id)
          mark(file, site->site, Severity::Error);
    add_missing(file);
    files.push_back(std::move(file));
  }
  return files;
}

} // namespace gputest::report
