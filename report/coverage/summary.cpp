// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/findings.h"
#include "report/common/text.h"
#include "report/coverage/report.h"
#include "report/index/summaries.h"

#include <fmt/format.h>

namespace gputest::report {

// The worst criterion speaks for all of them.
std::vector<Summary> coverage_summary(const std::filesystem::path& file) {
  const model::Coverage coverage = model::shown(model::read_coverage(file));
  const model::Criteria criteria = model::tally(coverage);
  Summary summary{.name = coverage.name,
                  .kernel = coverage.kernel,
                  .source = coverage.source,
                  .device = coverage.device,
                  .value = "–",
                  .detail = "nothing to cover"};
  if (const auto worst = worst_criterion(criteria)) {
    const model::Tally& tally = criteria.of(*worst);
    summary.percent = tally.percent();
    summary.value = percent_text(tally);
    summary.detail =
        fmt::format("{}, {} of {}", model::name_of(*worst), tally.covered, tally.total);
    summary.level = level_of(summary.percent);
  }
  for (const model::Miss& miss : model::missed(criteria, coverage.thresholds))
    summary.failures.push_back(model::text_of(miss));
  for (const model::CaseRecord& record : coverage.cases)
    if (record.verdict != model::CaseVerdict::Passed)
      summary.failures.push_back(
          case_text(record.name, model::name_of(record.verdict), record.message));
  for (const CoverageFinding& finding : findings_of(coverage)) {
    if (finding.severity == Severity::Warning)
      continue;
    const std::string text = fmt::format(
        "{}: {}", place_text(finding.file, finding.line, finding.column), sentence(finding));
    if (finding.severity == Severity::Error)
      summary.failures.push_back(text);
    else
      summary.open.push_back({fmt::format("{} {}", finding.file, sentence(finding)), text});
  }
  return {summary};
}

} // namespace gputest::report
