// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/index/summaries.h"
#include "report/schedules/report.h"

#include <fmt/format.h>

namespace gputest::report {

std::vector<Summary> schedules_summary(const std::filesystem::path& file) {
  const model::Schedules schedules = model::read_schedules(file);
  Summary summary{.name = schedules.name,
                  .kernel = schedules.kernel,
                  .source = schedules.source,
                  .device = schedules.device};
  std::size_t held = 0;
  for (const model::ScheduledCase& scheduled : schedules.cases) {
    held += holds(scheduled) ? 1 : 0;
    if (!holds(scheduled))
      summary.failures.push_back(case_text(
          scheduled.name, model::name_of(scheduled.verdict),
          scheduled.findings.empty() ? scheduled.message : scheduled.findings.front().message));
    for (const model::ScheduleFinding& finding : scheduled.findings)
      summary.open.push_back(
          {fmt::format("{} {}", scheduled.name, model::name_of(finding.kind)),
           fmt::format("case '{}': {}", scheduled.name, first_line(finding.message))});
  }
  for (const model::NotInstrumented& entry : schedules.not_remapped)
    summary.failures.push_back(fmt::format("{}: {} cannot be remapped: {}",
                                           place_text(entry.file, entry.line, entry.column),
                                           entry.construct, entry.reason));
  tell_cases(summary, held, schedules.cases.size(), "cases hold");
  if (const std::string left = model::not_run_text(schedules); !left.empty())
    summary.detail += ", " + left;
  return {summary};
}

} // namespace gputest::report
