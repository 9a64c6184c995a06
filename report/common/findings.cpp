// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/findings.h"

#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <utility>

namespace gputest::report {
namespace {

using model::Criterion;

std::string subject_of(const model::Site& site) {
  if (site.criterion == Criterion::Branch && site.kind == "switch")
    return "label";
  return std::string(model::name_of(site.criterion));
}

std::string never(const model::Site& site, const std::string& outcome) {
  if (site.criterion == Criterion::Barrier)
    return "was never executed by all work-items of a group";
  if (outcome == "zero")
    return "never ran zero times";
  if (outcome == "one")
    return "never ran exactly once";
  if (outcome == "many")
    return "never ran more than once";
  if (outcome == "boundary")
    return "never ended by its own condition";
  return fmt::format("was never {}", outcome);
}

CoverageFinding at(const model::Site& site, std::string rest) {
  if (!site.instances.empty())
    rest += " in " + site.function;
  return {.severity = Severity::Missing,
          .file = site.file,
          .line = site.line,
          .column = site.column,
          .subject = subject_of(site),
          .text = site.text,
          .rest = std::move(rest)};
}

// One finding for each (barrier, decision). `entries` is the number of entries with both.
CoverageFinding divergence(const model::DivergentBarrier& first, std::size_t entries) {
  std::string rest = fmt::format("is divergent: work-items of group {} disagree on '{}' ({}:{}:{})",
                                 first.group, first.decision.text, first.decision.file,
                                 first.decision.line, first.decision.column);
  if (!first.test_case.empty())
    rest += fmt::format(" in case '{}'", first.test_case);
  if (entries > 1)
    rest += fmt::format(", and {} more time{}", entries - 1, entries == 2 ? "" : "s");
  return {.severity = Severity::Error,
          .file = first.barrier.file,
          .line = first.barrier.line,
          .column = first.barrier.column,
          .subject = "barrier",
          .text = first.barrier.text,
          .rest = std::move(rest)};
}

void add_divergences(const model::Coverage& coverage, std::vector<CoverageFinding>& findings) {
  const auto& all = coverage.divergent_barriers;
  const auto same = [](const model::DivergentBarrier& a, const model::DivergentBarrier& b) {
    return a.barrier.file == b.barrier.file && a.barrier.line == b.barrier.line &&
           a.barrier.column == b.barrier.column && a.decision.file == b.decision.file &&
           a.decision.line == b.decision.line && a.decision.column == b.decision.column;
  };
  for (auto entry = all.begin(); entry != all.end(); ++entry) {
    const auto same_as_entry = [&](const auto& other) { return same(*entry, other); };
    if (std::none_of(all.begin(), entry, same_as_entry))
      findings.push_back(
          divergence(*entry, static_cast<std::size_t>(std::ranges::count_if(all, same_as_entry))));
  }
}

} // namespace

std::vector<CoverageFinding> missing_at(const model::SiteCoverage& entry) {
  const bool none = std::ranges::all_of(entry.hits, [](std::uint64_t hits) { return hits == 0; });
  if (none && entry.hits.size() > 1)
    return {at(entry.site, entry.site.criterion == Criterion::Loop ? "was never reached"
                                                                   : "was never evaluated")};
  std::vector<CoverageFinding> findings;
  for (std::size_t i = 0; i < entry.hits.size(); ++i)
    if (entry.hits[i] == 0)
      findings.push_back(at(entry.site, never(entry.site, entry.site.outcomes[i].name)));
  return findings;
}

std::vector<CoverageFinding> findings_of(const model::Coverage& coverage) {
  std::vector<CoverageFinding> findings;
  add_divergences(coverage, findings);
  for (const model::NotInstrumented& entry : coverage.not_instrumented)
    findings.push_back({.severity = Severity::Warning,
                        .file = entry.file,
                        .line = entry.line,
                        .column = entry.column,
                        .subject = entry.construct,
                        .text = "",
                        .rest = fmt::format("not instrumented: {}", entry.reason)});
  std::set<std::pair<std::string, std::string>> divergent; // file, id
  for (const model::DivergentBarrier& entry : coverage.divergent_barriers)
    divergent.emplace(entry.barrier.file, entry.barrier.id);
  for (const model::SiteCoverage& entry : coverage.sites) {
    if (entry.site.criterion == Criterion::Barrier &&
        divergent.contains({entry.site.file, entry.site.id}))
      continue;
    for (CoverageFinding& finding : missing_at(entry))
      findings.push_back(std::move(finding));
  }
  std::ranges::stable_sort(findings, [](const CoverageFinding& a, const CoverageFinding& b) {
    return std::tie(a.file, a.line, a.column, a.severity) <
           std::tie(b.file, b.line, b.column, b.severity);
  });
  return findings;
}

std::string sentence(const CoverageFinding& finding) {
  const std::string text = elide_middle(clean(finding.text), 60);
  return fmt::format("{}{} {}", clean(finding.subject), text.empty() ? "" : " '" + text + "'",
                     clean(finding.rest));
}

} // namespace gputest::report
