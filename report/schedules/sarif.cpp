// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/sarif_log.h"
#include "report/common/site.h"
#include "report/common/text.h"
#include "report/schedules/report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

struct Rule {
  std::string_view id, summary;
};

// Indexed by model::FindingKind. What could not be remapped comes last.
constexpr std::array kRules{
    Rule{"between groups", "Outputs depend on the order of work-groups"},
    Rule{"overlapping groups", "Outputs depend on which work-groups run at the same time"},
    Rule{"within groups", "Outputs depend on the order of the work-items of a group"},
    Rule{"waits", "A work-item waits for a work-group that has not run"},
    Rule{"out of bounds", "A write past the end of a buffer, under some orders"},
    Rule{"crash", "The process dies, under some orders"},
    Rule{"timeout", "A launch does not end, under some orders"},
    Rule{"interleaving", "Outputs depend on where work-items were switched"},
    Rule{"invalid case", "A test case breaks what its kernel assumes"},
    Rule{"not remapped", "What shows work-items their ids cannot be remapped"}};

Json location(const std::string& file, unsigned line, unsigned column, const fs::path& root) {
  Json physical{{"artifactLocation", sarif_artifact(clean(file), root)}};
  if (line != 0)
    physical["region"] = {{"startLine", line}, {"startColumn", column}};
  return Json::array({{{"physicalLocation", std::move(physical)}}});
}

Json result(std::size_t rule, const std::string& message, Json locations, const std::string& mark) {
  return {{"ruleId", kRules[rule].id},
          {"ruleIndex", rule},
          {"level", "error"},
          {"message", {{"text", clean(message)}}},
          {"locations", std::move(locations)},
          {"partialFingerprints", {{"gputestSchedule/v1", clean(mark)}}}};
}

} // namespace

std::string schedules_sarif(const SchedulesReport& report, const fs::path& root) {
  Json rules = Json::array(), results = Json::array();
  for (const Rule& rule : kRules) {
    rules.push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.summary}}}});
    add_help(rules.back(), "schedules");
  }
  for (const ScheduledResult& kernel : report.kernels) {
    const model::Schedules& schedules = kernel.schedules;
    for (const model::NotInstrumented& entry : schedules.not_remapped)
      results.push_back(result(kRules.size() - 1,
                               fmt::format("{}: {}", entry.construct, entry.reason),
                               location(entry.file, entry.line, entry.column, root),
                               fmt::format("{}/{}", schedules.name, entry.construct)));
    for (const model::ScheduledCase& scheduled : schedules.cases)
      for (const model::ScheduleFinding& finding : scheduled.findings) {
        const bool has_place = finding.line != 0;
        results.push_back(result(
            static_cast<std::size_t>(finding.kind),
            fmt::format("kernel '{}', case '{}': {}", schedules.kernel, scheduled.name,
                        finding.message),
            location(has_place ? finding.place_file : schedules.source, finding.line,
                     finding.column, root),
            fmt::format("{}/{}/{}", schedules.name, scheduled.name, model::name_of(finding.kind))));
      }
  }
  return sarif_log(std::move(rules), std::move(results));
}

} // namespace gputest::report
