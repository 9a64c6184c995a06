// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/suppressions/suppressions.h"
#include "report/check/report.h"
#include "report/common/text.h"
#include "report/index/summaries.h"

#include <fmt/format.h>

namespace gputest::report {

std::vector<Summary> check_summary(const std::filesystem::path& file) {
  const model::CheckResults results = model::read_check_results(file);
  Summary summary{.name = results.name,
                  .kernel = results.kernel,
                  .source = results.source,
                  .device = results.device};
  std::size_t held = 0;
  for (const model::CheckedCase& checked : results.cases) {
    held += holds(checked) ? 1 : 0;
    if (checked.verdict != model::CaseVerdict::Passed)
      summary.failures.push_back(
          case_text(checked.name, model::name_of(checked.verdict), checked.message));
  }
  for (const FindingsOfCause& group : by_cause(results.findings)) {
    const model::Finding& finding = group.first->finding;
    summary.failures.push_back(
        fmt::format("{}{}", finding.site.line == 0 ? "" : model::place_text(finding.site) + ": ",
                    first_line(finding.message)));
    summary.open.push_back({model::pair_of(finding), summary.failures.back()});
  }
  tell_cases(summary, held, results.cases.size(), "cases hold");
  if (!results.findings.empty())
    summary.detail += fmt::format(", {}", plural(results.findings.size(), "finding"));
  summary.detail += model::suppressed_text(results.suppressed.size());
  return {summary};
}

} // namespace gputest::report
