// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/sarif_places.h"
#include "report/common/text.h"
#include "report/schedules/report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::report {
namespace {

struct ScheduleRule {
  std::string_view id, summary;
};

// Indexed by model::FindingKind. What could not be remapped comes last.
constexpr std::array kScheduleRules{
    ScheduleRule{"between groups", "Outputs depend on the order of work-groups"},
    ScheduleRule{"overlapping groups", "Outputs depend on which work-groups run at the same time"},
    ScheduleRule{"within groups", "Outputs depend on the order of the work-items of a group"},
    ScheduleRule{"waits", "A work-item waits for a work-group that has not run"},
    ScheduleRule{"out of bounds", "A write past the end of a buffer, under some orders"},
    ScheduleRule{"crash", "The process dies, under some orders"},
    ScheduleRule{"timeout", "A launch does not end, under some orders"},
    ScheduleRule{"interleaving", "Outputs depend on where work-items were switched"},
    ScheduleRule{"invalid case", "A test case breaks what its kernel assumes"},
    ScheduleRule{"not remapped", "What shows work-items their ids cannot be remapped"}};
constexpr std::string_view kMore = "A device may run work-groups and work-items in any order, so "
                                   "no result may depend on it.";

} // namespace

std::string schedules_sarif(const SchedulesReport& report, const SourceTree& sources) {
  SarifRun run{.kind = "schedules"};
  for (const ScheduleRule& rule : kScheduleRules)
    run.rules.push_back(sarif_rule({.id = std::string(rule.id),
                                    .summary = std::string(rule.summary),
                                    .more = std::string(kMore),
                                    .level = "error",
                                    .page = "schedules"}));
  SarifPlaces places(sources);
  const auto add = [&](std::size_t rule, const std::string& message, const model::CodePlace& place,
                       const std::string& mark) {
    run.results.push_back(places.result({.rule = kScheduleRules[rule].id,
                                         .index = rule,
                                         .level = "error",
                                         .message = message,
                                         .place = place,
                                         .fingerprints = "gputestSchedule/v1",
                                         .mark = mark}));
  };
  for (const ScheduledResult& kernel : report.kernels) {
    const model::Schedules& schedules = kernel.schedules;
    if (const std::string left = model::not_run_text(schedules); !left.empty())
      run.notes.push_back(fmt::format("{}: {}", label_of(schedules), left));
    for (const model::NotInstrumented& entry : schedules.not_remapped)
      add(kScheduleRules.size() - 1, fmt::format("{}: {}", entry.construct, entry.reason),
          {entry.file, entry.line, entry.column},
          fmt::format("{}/{}", schedules.name, entry.construct));
    for (const model::ScheduledCase& scheduled : schedules.cases)
      for (const model::ScheduleFinding& finding : scheduled.findings)
        add(static_cast<std::size_t>(finding.kind),
            fmt::format("kernel '{}', case '{}': {}", schedules.kernel, scheduled.name,
                        finding.message),
            finding.line != 0 ? model::CodePlace{finding.place_file, finding.line, finding.column}
                              : places.kernel(schedules.source, schedules.kernel),
            fmt::format("{}/{}/{}", schedules.name, scheduled.name, model::name_of(finding.kind)));
  }
  return sarif_log(std::move(run));
}

} // namespace gputest::report
