// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/junit.h"

#include "report/common/findings.h"
#include "report/coverage/outputs.h"
#include "report/index/summary.h"

#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

// Returns what no case reached, a line each.
std::string open_text(const model::Coverage& coverage, model::Criterion criterion) {
  std::string text;
  for (const model::SiteCoverage& entry : coverage.sites)
    if (entry.site.criterion == criterion)
      for (const CoverageFinding& finding : missing_at(entry))
        text += fmt::format("{}: {}\n", place_text(finding.file, finding.line, finding.column),
                            sentence(finding));
  return text;
}

// Returns a test case for a criterion, which fails below the threshold of a test of the kernel.
JUnitCase criterion_case(const Report& report, const model::Coverage& coverage,
                         model::Criterion criterion, const model::Tally& tally) {
  JUnitCase test{.name = fmt::format("{} coverage", model::name_of(criterion)),
                 .file = coverage.source};
  for (const MissedThreshold& missed : report.missed)
    if (missed.label == label_of(coverage) && missed.miss.criterion == criterion) {
      test.type = "threshold";
      test.message = model::text_of(missed.miss);
      test.text = fmt::format("{} of {} covered\n", tally.covered, tally.total) +
                  open_text(coverage, criterion);
    }
  return test;
}

} // namespace

std::string coverage_junit(const Report& report) {
  std::vector<JUnitSuite> suites;
  for (const model::Coverage& coverage : report.kernels) {
    JUnitSuite& suite = suites.emplace_back(JUnitSuite{.name = label_of(coverage), .cases = {}});
    for (const model::CaseRecord& record : coverage.cases) {
      JUnitCase& test = suite.cases.emplace_back(
          JUnitCase{.name = record.name, .file = coverage.source, .seconds = record.seconds});
      if (record.verdict == model::CaseVerdict::Passed)
        continue;
      test.is_error = record.verdict == model::CaseVerdict::Error;
      test.type = model::name_of(record.verdict);
      test.message = test.text = record.message;
    }
    const model::Criteria criteria = model::tally(coverage);
    for (const model::Criterion criterion : model::kCriteria)
      if (const model::Tally& tally = criteria.of(criterion); tally.total > 0)
        suite.cases.push_back(criterion_case(report, coverage, criterion, tally));
  }
  // The suite of all kernels together, for `gputest report --threshold`.
  JUnitSuite all{.name = "all kernels", .cases = {}};
  for (const MissedThreshold& missed : report.missed)
    if (missed.label.empty())
      all.cases.push_back(
          {.name = fmt::format("{} coverage", model::name_of(missed.miss.criterion)),
           .file = missed.source,
           .type = "threshold",
           .message = model::text_of(missed.miss)});
  if (!all.cases.empty())
    suites.push_back(std::move(all));
  return junit_xml(report.title, suites);
}

} // namespace gputest::report
